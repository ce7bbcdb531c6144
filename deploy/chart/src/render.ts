import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { ensureHelm } from './helm-binary';
import type { Manifest } from './manifests';
import { CACHE, CHART, REPOSITORY_ROOT } from './paths';

export type Values = { [key: string]: unknown };

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

async function helm(args: (file: string) => string[], values: Values): Promise<string> {
  const binary = await ensureHelm(CACHE);
  const folder = await mkdtemp(join(tmpdir(), 'tire-chart-'));
  try {
    const file = join(folder, 'values.yaml');
    await writeFile(file, stringify(values));
    const { stdout } = await promisify(execFile)(binary, args(file), {
      maxBuffer: OUTPUT_BYTES_MAX,
      env: { ...process.env, HOME: folder },
    });
    return stdout;
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr || String(error), { cause: error });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The objects that `helm template` renders from these values. */
export const render = async (values: Values): Promise<Manifest[]> =>
  manifestsOf(await helm((file) => ['template', 'tire', CHART, '--namespace', 'tire', '--values', file], values));

/** The objects that a `helm install` with these arguments would create. Paths are relative to the root of the repository. */
export async function renderAsInstalled([verb, name, chart, ...flags]: readonly string[]): Promise<Manifest[]> {
  if (verb !== 'install' || !name || !chart) throw new Error(`not an installation: ${verb} ${name} ${chart}`);
  const given = flags.flatMap((flag, index) => {
    if (flag === '--set') return [flag, flags[index + 1]!];
    return flag === '-f' ? [flag, join(REPOSITORY_ROOT, flags[index + 1]!)] : [];
  });
  return manifestsOf(await helm(() => ['template', name, join(REPOSITORY_ROOT, chart), '--namespace', 'tire', ...given], {}));
}

function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const manifest = document.toJS() as Manifest | null;
    return manifest ? [manifest] : [];
  });
}

/** The notes of an installation. It needs no cluster. */
export const notes = (values: Values): Promise<string> =>
  helm((file) => ['install', 'tire', CHART, '--namespace', 'tire', '--dry-run=client', '--values', file], values).then(
    (text) => text.split('\nNOTES:\n')[1] ?? '',
  );

export const lint = (values: Values): Promise<string> => helm((file) => ['lint', '--strict', CHART, '--values', file], values);
