import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHART } from './paths';

export const README = readFileSync(join(CHART, 'README.md'), 'utf8');
export const BLOCKS = [...README.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, commands]) => commands!);

export const blocksWith = (words: string): string[] => BLOCKS.filter((commands) => commands.includes(words));

export const REGISTRY = 'registry.example.com';

/** Runs the commands of the README with programs that only record their arguments. */
export async function callsOf(commands: string, program: string, folder = tmpdir()): Promise<string[][]> {
  const stubs = ['docker', 'kubectl', 'helm'].map((name) =>
    name === program ? `${name}() { printf '%s\\037' "$@"; printf '\\n'; }` : `${name}() { :; }`,
  );
  const script = [...stubs, 'openssl() { echo 0123456789abcdef; }', `registry=${REGISTRY} tool=docker`, commands].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\u001f').slice(0, -1));
}
