// `npm run test:mutants`: plants small faults in the hand-over code, one at a time, and counts those that the tests notice. It works on a copy
// of the committed sources. Arguments choose faults by a part of their names. `--check` only looks whether each fault still fits the code.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS } from './mutants/list.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** Of all; the others are listed at the end. */
const CAUGHT_SHARE = 28 / 30;

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const chosen = MUTANTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

function planted(source, { name, file, from, to }) {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`"${name}" fits ${parts.length - 1} places in ${file}; it must fit one`);
  return parts.join(to);
}

if (args.includes('--check')) {
  for (const mutant of MUTANTS) planted(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant);
  console.log(`${MUTANTS.length} faults fit the code`);
  process.exit(0);
}

/** True where the specs fail. They are compiled without types, so a fault that no type allows is noticed only by what it does. */
function failed(copy, { config, specs }) {
  const { status } = spawnSync('npx', ['jest', '-c', config, '--ci', '--bail', '--silent', ...specs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', args.includes('--show') ? 'inherit' : 'ignore'],
    env: { ...process.env, CI: '', TEST_RETRIES: '' },
    timeout: 600_000,
  });
  return status !== 0; // null: the specs hang, which the time limit ends
}

const copy = mkdtempSync(join(tmpdir(), 'tire-mutants-'));
const missed = [];
try {
  const sources = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 26 });
  execFileSync('tar', ['--null', '-T', '-', '-cf', join(copy, 'sources.tar')], { cwd: ROOT, input: sources });
  execFileSync('tar', ['-xf', 'sources.tar'], { cwd: copy });
  rmSync(join(copy, 'sources.tar'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  const sound = new Map();
  for (const mutant of chosen) {
    const key = JSON.stringify(mutant.tests);
    if (!sound.has(key)) sound.set(key, !failed(copy, mutant.tests));
    if (!sound.get(key)) throw new Error(`The specs fail without a fault: ${key}`);
    const path = join(copy, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, planted(source, mutant));
    const began = Date.now();
    const isCaught = failed(copy, mutant.tests);
    writeFileSync(path, source);
    if (!isCaught) missed.push(mutant.name);
    console.log(`${isCaught ? 'caught' : 'MISSED'}  ${mutant.name} (${Math.round((Date.now() - began) / 1_000)} s)`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults are caught`);
process.exitCode = (chosen.length - missed.length) / chosen.length >= CAUGHT_SHARE ? 0 : 1;
