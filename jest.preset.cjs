const { join } = require('node:path');

// Packages that are ES modules only: Node requires them as they are, Jest does not.
const ONLY_MODULES = '/node_modules/(openid-client|oauth4webapi|jose)/.+\\.js$';

/**
 * One preset for every project. `infrastructure: true` brings up real Postgres and NATS once for the run
 * (or joins those that `npm test` already started).
 */
module.exports = ({ displayName, rootDir, infrastructure, testTimeout = 30_000 }) => ({
  displayName,
  rootDir,
  testEnvironment: 'node',
  testTimeout,
  reporters: ['default', join(__dirname, 'deploy/checks/count-reporter.cjs')],
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', {}], [ONLY_MODULES]: ['@swc/jest', {}] },
  transformIgnorePatterns: ['/node_modules/(?!(openid-client|oauth4webapi|jose)/)'],
  moduleNameMapper: {
    '^@tire/platform/register$': join(__dirname, 'libs/platform/src/register.ts'),
    '^@tire/contracts/([a-z]+)$': join(__dirname, 'libs/contracts/src/$1/index.ts'),
    '^@tire/local-stack$': join(__dirname, 'deploy/local/src/index.ts'),
    '^@tire/chart$': join(__dirname, 'deploy/chart/src/index.ts'),
    '^@tire/([a-z-]+)$': join(__dirname, 'libs/$1/src/index.ts'),
  },
  ...(infrastructure
    ? {
        globalSetup: join(__dirname, 'libs/test-harness/src/jest-global-setup.ts'),
        globalTeardown: join(__dirname, 'libs/test-harness/src/jest-global-teardown.ts'),
      }
    : {}),
});
