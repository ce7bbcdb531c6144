module.exports = require('../../jest.preset.cjs').forProject('assets', __dirname);
