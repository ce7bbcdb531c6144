module.exports = require('../../jest.preset.cjs').forProject('kernel', __dirname);
