// `npm run test:affected`: types, format and lint of the whole tree, unit and integration tests of the projects that differ from
// main, before a push.
// An argument names another base: npm run test:affected -- HEAD~1.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const base = process.argv[2] ?? 'main';
const nx = (...args) => ['node_modules/.bin/nx', ...args, `--base=${base}`];
const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };

/** These read the whole tree, which takes seconds. */
const CODE = [
  ['types', ['node_modules/.bin/tsc', '--singleThreaded', '-p', 'tsconfig.json']],
  ['types of the console', ['node_modules/.bin/tsc', '--singleThreaded', '-p', 'apps/console/tsconfig.json']],
  ['types of the capture page', ['node_modules/.bin/tsc', '--singleThreaded', '-p', 'apps/capture/tsconfig.json']],
  ['types of the client', ['node_modules/.bin/tsc', '--singleThreaded', '-p', 'clients/typescript/tsconfig.json']],
  ['format', ['node_modules/.bin/oxfmt', '--check']],
  // The rule of layers reads the graph that nx writes here.
  ['projects', ['node_modules/.bin/nx', 'show', 'projects']],
  ['lint', ['node_modules/.bin/oxlint', 'apps', 'libs', 'deploy', 'clients']],
];
const TESTS = [
  ['build', ['deploy/build.mjs']],
  [
    'unit and integration tests',
    [
      ...['dist/libs/test-harness/src/with-infrastructure.js', process.execPath],
      ...nx('affected', '-t', 'test:unit', 'test:int', '--parallel=2', '--output-style=stream'),
    ],
  ],
];

/** The output of the second chain appears while it runs, that of the first one with each of its steps. */
async function run([name, args], stdio) {
  const beganMs = Date.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdio, stdio], env });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(`\n== ${name}\n${Buffer.concat(chunks)}-- ${name}: ${((Date.now() - beganMs) / 1_000).toFixed(0)}s\n`);
  return code === 0;
}

async function chain(steps, stdio) {
  for (const step of steps) if (!(await run(step, stdio))) return false;
  return true;
}

const passed = await Promise.all([chain(CODE, 'pipe'), chain(TESTS, 'inherit')]);
process.exit(passed.every(Boolean) ? 0 : 1);
