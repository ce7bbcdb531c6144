// Tools of other languages, of fixed versions, in a cache outside of the repository: made once for each machine.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tire-inspection-checks');

function run(program, args, options = {}) {
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

export function cached(name) {
  mkdirSync(CACHE, { recursive: true });
  return join(CACHE, name);
}

/** The folder of the programs of a Python package. */
export function pythonPackage(name, version) {
  const folder = cached(`${name}-${version}`);
  const programs = join(folder, 'bin');
  const marker = join(folder, 'complete');
  if (existsSync(marker)) return programs;
  run('python3', ['-m', 'venv', '--clear', folder]);
  run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', `${name}==${version}`]);
  mkdirSync(marker);
  return programs;
}

/** A program of a Go module. */
export function goProgram(module, version) {
  const folder = cached(`${module.split('/').at(-1)}-${version}`);
  const program = join(folder, module.split('/').at(-1));
  if (!existsSync(program))
    run('go', ['install', `${module}@${version}`], { env: { ...process.env, GOBIN: folder, GOFLAGS: '-modcacherw' } });
  return program;
}

export function has(program) {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
