module.exports = require('../../jest.preset.cjs').forProject('local-stack', __dirname);
