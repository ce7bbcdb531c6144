module.exports = require('../../jest.preset.cjs').forProject('contracts', __dirname);
