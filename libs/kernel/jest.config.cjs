module.exports = require('../../jest.preset.cjs')({ displayName: 'kernel', rootDir: __dirname, infrastructure: false });
