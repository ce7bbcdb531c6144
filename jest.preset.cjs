const { availableParallelism } = require('node:os');
const { join } = require('node:path');

// Packages that are ES modules only: Node requires them as they are, Jest does not.
const ONLY_MODULES = '/node_modules/(openid-client|oauth4webapi|jose|marked)/.+\\.js$';

/**
 * Jest runs a test in a context whose globals cost a look-up through an interceptor: arithmetic on images took ten times as long. These
 * become parameters of each module. Left out are names that packages declare again themselves, such as Set and Buffer.
 */
const FAST_GLOBALS = [
  ...['Array', 'BigInt', 'JSON', 'Math', 'Number', 'Object'],
  ...['Float32Array', 'Float64Array', 'Int32Array', 'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array'],
];

/** Projects whose specs decode images. */
const WITH_IMAGES = /\/(assets|capture|content|inference|platform|share|test-harness)$/;

const TRANSFORM = join(__dirname, 'deploy/checks/jest-transform.cjs');
const RETRIES = join(__dirname, 'deploy/checks/retries.cjs');

const common = (rootDir) => ({
  rootDir,
  ...(WITH_IMAGES.test(rootDir) ? { setupFiles: [join(__dirname, 'deploy/checks/image-loaders.cjs')] } : {}),
  runtime: join(__dirname, 'deploy/checks/jest-runtime.cjs'),
  testEnvironment: 'node',
  sandboxInjectedGlobals: FAST_GLOBALS,
  transform: { '^.+\\.ts$': TRANSFORM, [ONLY_MODULES]: TRANSFORM },
  transformIgnorePatterns: ['/node_modules/(?!(openid-client|oauth4webapi|jose|marked)/)'],
  moduleNameMapper: {
    '^@tire/platform/images$': join(__dirname, 'libs/platform/src/images/index.ts'),
    '^@tire/platform/register$': join(__dirname, 'libs/platform/src/register.ts'),
    '^@tire/contracts/([a-z]+)$': join(__dirname, 'libs/contracts/src/$1/index.ts'),
    '^@tire/kernel/([a-z-]+)$': join(__dirname, 'libs/kernel/src/$1.ts'),
    '^@tire/local-stack$': join(__dirname, 'deploy/local/src/index.ts'),
    '^@tire/chart$': join(__dirname, 'deploy/chart/src/index.ts'),
    '^@tire/([a-z-]+)$': join(__dirname, 'libs/$1/src/index.ts'),
  },
});

/** Settings of a whole run. The time limit is for a test that hangs; it leaves room for a machine that is busy with something else. */
const run = {
  testTimeout: 120_000,
  // Three workers for two cores: a test waits for servers, browsers and the clock during a third of its time.
  maxWorkers: Math.min(Math.ceil(1.5 * availableParallelism()), 6),
  testSequencer: join(__dirname, 'deploy/checks/sequencer.cjs'),
  reporters: ['default', join(__dirname, 'deploy/checks/count-reporter.cjs')],
};

/**
 * Unit and integration tests of one app or library are two Jest projects, `<name>-unit` and `<name>-int`. Only the second one starts
 * Postgres, or joins the one that a former project of the same run started.
 */
const forProject = (name, rootDir, folders = ['src']) => ({
  ...run,
  projects: [
    {
      ...common(rootDir),
      displayName: `${name}-unit`,
      testMatch: [...folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`), '!**/*.int.spec.ts'],
    },
    {
      ...common(rootDir),
      displayName: `${name}-int`,
      testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.int.spec.ts`),
      setupFilesAfterEnv: [RETRIES],
      globalSetup: join(__dirname, 'libs/test-harness/src/jest-global-setup.ts'),
      globalTeardown: join(__dirname, 'libs/test-harness/src/jest-global-teardown.ts'),
    },
  ],
});

module.exports = { common, forProject, RETRIES, run };
