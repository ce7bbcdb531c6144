module.exports = require('../../jest.preset.cjs').forProject('console', __dirname);
