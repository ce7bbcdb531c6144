module.exports = require('../../jest.preset.cjs').forProject('test-harness', __dirname);
