module.exports = require('../../jest.preset.cjs').forProject('platform', __dirname);
