const { join } = require('node:path');
const { common, run } = require('../../jest.preset.cjs');

module.exports = {
  ...run,
  ...common(__dirname),
  displayName: 'system-e2e',
  testMatch: ['<rootDir>/src/**/*.e2e.spec.ts'],
  testTimeout: 130_000,
  globalSetup: join(__dirname, 'src/start-stack.ts'),
  globalTeardown: join(__dirname, 'src/stop-stack.ts'),
  // One stack for all, and its processes are killed by some of them.
  maxWorkers: 1,
};
