module.exports = require('../../jest.preset.cjs')({
  displayName: 'console',
  rootDir: __dirname,
  infrastructure: true,
  testTimeout: 120_000,
});
