import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const LIMIT_MS = 600_000;
const SIGNALS = ['SIGINT', 'SIGTERM'];
/** Specs that end without a failed test have noticed nothing: perhaps the fault does not compile, or a server is away. */
export const NOT_RUN = 'the specs do not run';

export const sourceOf = ({ file }, folder = ROOT) => readFileSync(join(folder, file), 'utf8');

export function planted(source, { name, file, from, to }) {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`"${name}" fits ${parts.length - 1} places in ${file}; it must fit one`);
  return parts.join(to);
}

/** The files of the working tree that git knows, without a build. */
export function copyTo(folder) {
  const sources = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 26 });
  execFileSync('tar', ['--null', '-T', '-', '-cf', join(folder, 'sources.tar')], { cwd: ROOT, input: sources });
  execFileSync('tar', ['-xf', 'sources.tar'], { cwd: folder });
  rmSync(join(folder, 'sources.tar'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/**
 * The first test that fails, or null where all pass. Specs are compiled without types, so a fault that no type allows is noticed only by what
 * it does.
 */
async function firstFailure(folder, { config, specs }, isShown) {
  const failedTests = join(folder, 'failed-tests');
  writeFileSync(failedTests, '');
  const environment = join(folder, 'deploy/checks/mutants/until-first-failure.cjs');
  const output = isShown ? 'inherit' : 'ignore';
  const jest = spawn('npx', ['jest', '-c', config, '--ci', '--bail', '--silent', '--env', environment, ...specs], {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: { ...process.env, CI: '', TEST_RETRIES: '', FAILED_TESTS: failedTests },
    detached: true,
  });
  // Its servers and workers end with it.
  const end = () => process.kill(-jest.pid, 'SIGKILL');
  let isStopped = false;
  let isLate = false;
  const stop = () => {
    isStopped = true;
    end();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  // Specs that hang fail.
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, LIMIT_MS);
  const [status] = await once(jest, 'exit');
  clearTimeout(timer);
  for (const signal of SIGNALS) process.off(signal, stop);
  if (isStopped) throw new Error('Stopped');
  if (status === 0) return null;
  const [first] = readFileSync(failedTests, 'utf8').split('\n');
  return first || (isLate ? 'the specs do not end' : NOT_RUN);
}

export async function requireSound(folder, tests, isShown) {
  const failure = await firstFailure(folder, tests, isShown);
  if (failure) throw new Error(`The specs fail without a fault: ${failure}`);
}

/** The test that notices the fault, or null. */
export async function noticedBy(folder, mutant, isShown) {
  const path = join(folder, mutant.file);
  const source = sourceOf(mutant, folder);
  writeFileSync(path, planted(source, mutant));
  try {
    return await firstFailure(folder, mutant.tests, isShown);
  } finally {
    writeFileSync(path, source);
  }
}

/** All specs of mutants with one configuration, as tests of one run. */
export function testsByConfig(mutants) {
  const specs = new Map();
  for (const { tests } of mutants) specs.set(tests.config, new Set([...(specs.get(tests.config) ?? []), ...tests.specs]));
  return [...specs].map(([config, names]) => ({ config, specs: [...names] }));
}
