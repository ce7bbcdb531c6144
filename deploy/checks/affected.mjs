// `npm run test:affected`: format, types, lint, unit and integration tests of the projects that differ from main, before a push.
// An argument names another base: npm run test:affected -- HEAD~1.
import { spawnSync } from 'node:child_process';

const base = process.argv[2] ?? 'main';
const nx = (...args) => ['node_modules/nx/bin/nx.js', ...args, `--base=${base}`];
const STEPS = [
  ['format', nx('format:check')],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['build', ['deploy/build.mjs']],
  [
    'lint, unit and integration tests',
    [
      ...['dist/libs/test-harness/src/with-infrastructure.js', process.execPath],
      ...nx('affected', '-t', 'lint', 'test:unit', 'test:int', '--parallel=2', '--output-style=stream'),
    ],
  ],
];

for (const [name, args] of STEPS) {
  const beganMs = Date.now();
  console.log(`\n== ${name}`);
  const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  console.log(`-- ${name}: ${((Date.now() - beganMs) / 1_000).toFixed(0)}s`);
  if (status !== 0) process.exit(status ?? 1);
}
