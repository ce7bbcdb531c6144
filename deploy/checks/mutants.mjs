// `npm run test:mutants`: plants small faults in the hand-over code, one at a time, and counts those that the tests notice. It works on a copy
// of the working tree. Arguments choose faults by a part of their names. `--check` only looks whether each fault still fits the code.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS } from './mutants/list.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** Of all; the others are listed at the end. */
const CAUGHT_SHARE = 28 / 30;
const LIMIT_MS = 600_000;
const SIGNALS = ['SIGINT', 'SIGTERM'];

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const chosen = MUTANTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

/** Those with the same specs together. */
function byTests(mutants) {
  const groups = new Map();
  for (const mutant of mutants) {
    const key = JSON.stringify(mutant.tests);
    groups.set(key, [...(groups.get(key) ?? []), mutant]);
  }
  return [...groups.values()];
}

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
async function failed(copy, { config, specs }) {
  const jest = spawn('npx', ['jest', '-c', config, '--ci', '--bail', '--silent', ...specs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', args.includes('--show') ? 'inherit' : 'ignore'],
    env: { ...process.env, CI: '', TEST_RETRIES: '' },
    detached: true,
  });
  // Its servers and workers end with it.
  const end = () => process.kill(-jest.pid, 'SIGKILL');
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    end();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  // Specs that hang fail.
  const timer = setTimeout(end, LIMIT_MS);
  const [status] = await once(jest, 'exit');
  clearTimeout(timer);
  for (const signal of SIGNALS) process.off(signal, stop);
  if (isStopped) throw new Error('Stopped');
  return status !== 0;
}

async function requireSound(copy, tests) {
  if (await failed(copy, tests)) throw new Error(`The specs fail without a fault: ${JSON.stringify(tests)}`);
}

async function isCaught(copy, mutant) {
  const path = join(copy, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, planted(source, mutant));
  const began = Date.now();
  const caught = await failed(copy, mutant.tests);
  writeFileSync(path, source);
  console.log(`${caught ? 'caught' : 'MISSED'}  ${mutant.name} (${Math.round((Date.now() - began) / 1_000)} s)`);
  return caught;
}

const copy = mkdtempSync(join(tmpdir(), 'tire-mutants-'));
const missed = [];
try {
  const sources = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 26 });
  execFileSync('tar', ['--null', '-T', '-', '-cf', join(copy, 'sources.tar')], { cwd: ROOT, input: sources });
  execFileSync('tar', ['-xf', 'sources.tar'], { cwd: copy });
  rmSync(join(copy, 'sources.tar'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  for (const mutants of byTests(chosen)) {
    await requireSound(copy, mutants[0].tests);
    for (const mutant of mutants) if (!(await isCaught(copy, mutant))) missed.push(mutant.name);
    // Also afterwards: a server or a database that went away meanwhile would count as caught.
    await requireSound(copy, mutants[0].tests);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults are caught`);
process.exitCode = (chosen.length - missed.length) / chosen.length >= CAUGHT_SHARE ? 0 : 1;
