module.exports = require('../../jest.preset.cjs').forProject('content', __dirname);
