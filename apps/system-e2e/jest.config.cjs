const { join } = require('node:path');

module.exports = {
  ...require('../../jest.preset.cjs')({ displayName: 'system-e2e', rootDir: __dirname, infrastructure: false, testTimeout: 130_000 }),
  globalSetup: join(__dirname, 'src/start-stack.ts'),
  globalTeardown: join(__dirname, 'src/stop-stack.ts'),
  maxWorkers: 1,
};
