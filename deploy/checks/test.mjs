// `npm test`: unit, integration and system tests. `node deploy/checks/test.mjs unit int` runs only the named kinds.
// It ends with the seconds of each project, the twenty slowest files and tests, and with one line that counts the tests.
// RECORD_TEST_SECONDS=1 writes test-seconds.json anew.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const SLOWEST = 20;
const RECORDED_FROM_MS = 5_000;
const KINDS = ['unit', 'int', 'system'];
/** Each worker is a partner of the stack. The stack has six. */
const SHARED_WORKERS = Math.min(Math.ceil(1.5 * availableParallelism()), 6);

const kinds = process.argv.length > 2 ? process.argv.slice(2) : KINDS;
const unknown = kinds.filter((kind) => !KINDS.includes(kind));
if (unknown.length > 0) throw new Error(`There are no tests of the kind ${unknown.join(', ')}: ${KINDS.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'tire-test-counts-'));
const countsFile = join(folder, 'counts.jsonl');
writeFileSync(countsFile, '');

const environment = { ...process.env, TIRE_TEST_COUNTS: countsFile, TIRE_PORTS_NOTED: folder };
/** Ports of servers. Two runs beside each other must not take a port while its server is down; .ci/run gives the ports below to others. */
const PORTS = { system: '17408-25088', others: '25088-32768' };

/** Runs a program. Beside another one its output is printed when it has ended. */
async function run(args, { beside = false, ports = PORTS.others } = {}) {
  const output = beside ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, output], env: { ...environment, TIRE_PORTS: ports } });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(chunks));
  return code ?? 1;
}

/** Specs of these kinds in one run of Jest: their infrastructure starts once. Without a number of workers Jest takes that of its preset. */
function jest(kinds, { workers, beside = false } = {}) {
  const isSystem = kinds[0].startsWith('system');
  const config = isSystem ? 'apps/system-e2e/jest.config.cjs' : 'jest.config.cjs';
  const { projects } = createRequire(import.meta.url)(`../../${config}`);
  const isOfKind = (name) => kinds.some((kind) => name === kind || name.endsWith(`-${kind}`));
  const names = projects.map(({ displayName }) => displayName).filter(isOfKind);
  const args = ['node_modules/jest/bin/jest.js', '-c', config, ...(workers ? ['--maxWorkers', String(workers)] : [])];
  return run([...args, '--selectProjects', ...names], { beside, ports: isSystem ? PORTS.system : PORTS.others });
}

const wantsSystem = kinds.includes('system');
const withoutStack = kinds.filter((kind) => kind !== 'system');

/**
 * Each step runs when the one before has ended. A failure of one does not hide the result of the others. More than one program runs at a
 * time on each core, because each of them waits for a part of its time: for a restart, a lease, a browser.
 */
const STEPS = [
  () => [
    ...(wantsSystem ? [jest(['system-alone'], { workers: 1 })] : []),
    ...(withoutStack.length > 0 ? [jest(withoutStack, { beside: wantsSystem })] : []),
  ],
  // A stack that runs already has one partner.
  () => (wantsSystem ? [jest(['system-shared'], { workers: process.env.STACK_DIR ? 1 : SHARED_WORKERS })] : []),
];

/** Milliseconds of all cores since the start of the machine: in total, and without work. */
function coreTimes() {
  const times = cpus().map((core) => core.times);
  return { all: times.flatMap(Object.values).reduce((sum, ms) => sum + ms, 0), idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

const results = [await run(['deploy/build.mjs'])];
for (const step of results[0] ? [] : STEPS) {
  const [beganMs, before] = [Date.now(), coreTimes()];
  results.push(...(await Promise.all(step())));
  const after = coreTimes();
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all);
  console.log(`\n-- ${((Date.now() - beganMs) / 1_000).toFixed(0)}s, cores ${(100 * busy).toFixed(0)} % busy`);
}
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
console.log('\nThe projects: seconds in their files, of these before the first test, files, tests');
for (const project of new Set(files.map((row) => row.project))) {
  const rows = files.filter((row) => row.project === project);
  const seconds = (key) => (rows.reduce((total, row) => total + row[key], 0) / 1_000).toFixed(0).padStart(6);
  const tests = rows.reduce((total, row) => total + row.passed + row.failed, 0);
  console.log(`${seconds('ms')} ${seconds('startMs')} ${String(rows.length).padStart(4)} ${String(tests).padStart(5)}  ${project}`);
}
printSlowest(
  'files',
  files.map(({ file, ms }) => ({ name: file, ms })),
);
printSlowest(
  'tests',
  files.flatMap(({ file, tests }) => tests.map(({ name, ms }) => ({ name: `${file}: ${name}`, ms }))),
);

const flaky = files.flatMap(({ file, flaky }) => flaky.map((name) => `${file}: ${name}`));
if (flaky.length > 0) console.log(`\nFLAKY, passed at the second attempt only. Each is a defect:\n${flaky.join('\n')}`);

// The order in which Jest starts the files in a fresh clone.
if (process.env.RECORD_TEST_SECONDS) {
  const slow = files.filter(({ ms }) => ms >= RECORDED_FROM_MS).map(({ file, ms }) => [file, Math.round(ms / 1_000)]);
  const rows = Object.fromEntries(slow.toSorted(([a], [b]) => a.localeCompare(b)));
  writeFileSync(join(import.meta.dirname, 'test-seconds.json'), `${JSON.stringify(rows, null, 2)}\n`);
}

const sum = (key) => files.reduce((total, row) => total + row[key], 0);
const failed = sum('failed') + (exitCode && !sum('failed') ? 1 : 0);
console.log(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
process.exit(exitCode);
