module.exports = require('../../jest.preset.cjs')({ displayName: 'assets', rootDir: __dirname, infrastructure: true });
