// `npm test`: unit, integration and system tests. `node deploy/checks/test.mjs unit int` runs only the named kinds.
// It ends with the twenty slowest files and tests, and with one line that counts the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SLOWEST = 20;
const KINDS = ['unit', 'int', 'system'];

const kinds = process.argv.length > 2 ? process.argv.slice(2) : KINDS;
const unknown = kinds.filter((kind) => !KINDS.includes(kind));
if (unknown.length > 0) throw new Error(`There are no tests of the kind ${unknown.join(', ')}: ${KINDS.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'tire-test-counts-'));
const countsFile = join(folder, 'counts.jsonl');
writeFileSync(countsFile, '');

const environment = { ...process.env, TIRE_TEST_COUNTS: countsFile };

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
const jest = (config, args) => run(['node_modules/jest/bin/jest.js', '-c', config, ...args]);

/** Unit and integration tests of all projects are one run of Jest: their infrastructure starts once. */
async function runProjects() {
  const { projects } = createRequire(import.meta.url)('../../jest.config.cjs');
  const names = projects.map(({ displayName }) => displayName).filter((name) => kinds.includes(name.split('-').at(-1)));
  return names.length > 0 ? jest('jest.config.cjs', ['--selectProjects', ...names]) : 0;
}

/** After the others: beside them, on two cores, calls of both exceeded their deadlines. */
const runSystem = () => (kinds.includes('system') ? jest('apps/system-e2e/jest.config.cjs', []) : 0);

const built = await run(['deploy/build.mjs']);
// A failure of one kind does not hide the result of the other one.
const results = built ? [built] : [await runProjects(), await runSystem()];
const exitCode = results.find((code) => code !== 0) ?? 0;

const files = readFileSync(countsFile, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((row) => JSON.parse(row));
rmSync(folder, { recursive: true });

function printSlowest(what, rows) {
  console.log(`\nThe slowest ${what}, in seconds:`);
  for (const { name, ms } of rows.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)) {
    console.log(`${(ms / 1_000).toFixed(1).padStart(7)}  ${name}`);
  }
}
printSlowest(
  'files',
  files.map(({ file, ms }) => ({ name: file, ms })),
);
printSlowest(
  'tests',
  files.flatMap(({ file, tests }) => tests.map(({ name, ms }) => ({ name: `${file}: ${name}`, ms }))),
);

const sum = (key) => files.reduce((total, row) => total + row[key], 0);
const failed = sum('failed') + (exitCode && !sum('failed') ? 1 : 0);
console.log(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
process.exit(exitCode);
