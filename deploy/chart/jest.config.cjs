module.exports = require('../../jest.preset.cjs')({
  displayName: 'chart',
  rootDir: __dirname,
  infrastructure: false,
  testTimeout: 120_000,
});
