module.exports = require('../../jest.preset.cjs')({ displayName: 'eventing', rootDir: __dirname, infrastructure: true });
