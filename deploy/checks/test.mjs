// `npm test`: every project's tests on real infrastructure that is started once, and one line that counts them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'tire-test-counts-'));
const countsFile = join(folder, 'counts.jsonl');
writeFileSync(countsFile, '');

const run = (program, args) =>
  spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, TIRE_TEST_COUNTS: countsFile, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' },
  }).status ?? 1;

const built = run(process.execPath, ['deploy/build.mjs']);
const nx = ['node_modules/.bin/nx', 'run-many', '-t', 'test', '--parallel=1', '--output-style=stream', ...process.argv.slice(2)];
const tested = built || run(process.execPath, ['dist/libs/test-harness/src/with-infrastructure.js', ...nx]);

const rows = readFileSync(countsFile, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((row) => JSON.parse(row));
rmSync(folder, { recursive: true });
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
const failed = sum('failed') + (tested && !sum('failed') ? 1 : 0);
console.log(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
process.exit(tested);
