module.exports = require('../../jest.preset.cjs').forProject('inference', __dirname);
