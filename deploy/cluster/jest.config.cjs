module.exports = require('../../jest.preset.cjs').forProject('cluster', __dirname);
