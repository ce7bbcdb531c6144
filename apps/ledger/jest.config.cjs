module.exports = require('../../jest.preset.cjs').forProject('ledger', __dirname);
