const { join } = require('node:path');
const { common, RETRIES, run } = require('../../jest.preset.cjs');

const ALONE = '**/*.alone.e2e.spec.ts';
const project = (name, testMatch) => ({
  ...common(__dirname),
  displayName: name,
  testMatch,
  setupFilesAfterEnv: [RETRIES],
  globalSetup: join(__dirname, 'src/start-stack.ts'),
  globalTeardown: join(__dirname, 'src/stop-stack.ts'),
});

/**
 * One stack for all. The specs of `system-alone` kill, stop or flood its processes, so that only one of them may run at a time. The specs of
 * `system-shared` use it as partners do and may run beside each other: `npm test` gives them three workers for two cores.
 */
module.exports = {
  ...run,
  reporters: [...run.reporters, join(__dirname, '../../deploy/checks/stack-log-reporter.cjs')],
  testTimeout: 300_000,
  maxWorkers: 1,
  // The walk through a shop's morning takes minutes: `npm run walk:shop`.
  projects: process.env['SHOP_DAY']
    ? [project('shop-day', ['<rootDir>/src/**/*.walk.ts'])]
    : [project('system-alone', [ALONE]), project('system-shared', ['<rootDir>/src/**/*.e2e.spec.ts', `!${ALONE}`])],
};
