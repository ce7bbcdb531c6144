module.exports = require('../../jest.preset.cjs').forProject('chart', __dirname);
