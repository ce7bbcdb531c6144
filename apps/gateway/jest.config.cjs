module.exports = require('../../jest.preset.cjs').forProject('gateway', __dirname);
