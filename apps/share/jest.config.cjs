module.exports = require('../../jest.preset.cjs').forProject('share', __dirname);
