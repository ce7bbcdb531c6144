module.exports = require('../../jest.preset.cjs')({ displayName: 'share', rootDir: __dirname, infrastructure: true });
