module.exports = require('../../jest.preset.cjs').forProject('capture', __dirname);
