module.exports = require('../../jest.preset.cjs')({ displayName: 'ledger', rootDir: __dirname, infrastructure: true });
