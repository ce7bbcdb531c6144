module.exports = require('../../jest.preset.cjs').forProject('guide', __dirname);
