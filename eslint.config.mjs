import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const IO_MODULES = [
  '@nestjs/*',
  'typeorm',
  'pg',
  'nats',
  '@grpc/*',
  'minio',
  'sharp',
  'onnxruntime-node',
  'pino',
  'node:fs*',
  'node:http*',
  'node:net',
];

/** The allowed imports. No '*': each row names all that it allows. deploy/checks/boundaries.mjs tests each kind of rule. */
const LAYERS = [
  { sourceTag: 'type:kernel', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:kernel'] },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:test-harness'] },
  { sourceTag: 'type:eventing', onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:platform', 'type:test-harness'] },
  { sourceTag: 'type:test-harness', onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:test-harness'] },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:platform', 'type:eventing', 'type:test-harness'],
  },
  { sourceTag: 'type:stack', onlyDependOnLibsWithTags: ['type:platform', 'type:kernel', 'type:contracts', 'type:test-harness'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:test-harness', 'type:stack'] },
  ...['gateway', 'ledger', 'assets', 'inference', 'content', 'share', 'console'].map((name) => ({
    sourceTag: `scope:${name}`,
    onlyDependOnLibsWithTags: [`scope:${name}`, 'scope:shared'],
  })),
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  { sourceTag: 'scope:system', onlyDependOnLibsWithTags: ['scope:system', 'scope:shared'] },
];

const restrictImports = (patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const onlyInEventing = { group: ['nats'], message: 'Only libs/eventing talks to NATS.' };
const onlyInTests = { group: ['@tire/test-harness'], message: 'The test harness is for tests and the local stack.' };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/*.cjs', '**/*.mjs', '.nx/**', '.local/**', 'node_modules/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './apps/console/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], enforceBuildableLibDependency: false, depConstraints: LAYERS }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-redeclare': 'off',
      // The compiler reports it.
      '@typescript-eslint/no-unused-vars': 'off',
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'The environment is read in config.ts only.' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '**/*.conformance.ts', '**/bench/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/{platform,contracts,kernel}/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.conformance.ts', '**/testing/**', 'apps/system-e2e/**'],
    rules: restrictImports([onlyInEventing, onlyInTests]),
  },
  {
    files: ['**/src/domain/**/*.ts', 'libs/kernel/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: restrictImports([
      { group: IO_MODULES, message: 'The domain is pure.' },
      { group: ['@tire/platform', '@tire/eventing', '@tire/test-harness'], message: 'The domain imports itself and the kernel.' },
      {
        group: ['@tire/contracts/*', '!@tire/contracts/limits'],
        allowTypeImports: true,
        message: 'The domain takes types from the contracts, not code.',
      },
    ]),
  },
  {
    files: [
      '**/config.ts',
      'libs/platform/src/{config,register}*',
      'libs/platform/src/config/**',
      'libs/platform/src/telemetry/**',
      'libs/test-harness/src/**',
      'deploy/local/src/**',
      'deploy/chart/src/**',
      '**/*.spec.ts',
      '**/bench/**',
      'apps/system-e2e/**',
      '**/migrate.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
);
