module.exports = require('../../jest.preset.cjs')({ displayName: 'test-harness', rootDir: __dirname, infrastructure: true });
