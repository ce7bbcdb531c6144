module.exports = require('../../jest.preset.cjs').forProject('eventing', __dirname);
