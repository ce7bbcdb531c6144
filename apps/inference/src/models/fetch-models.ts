import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelFault } from './repository';
import { Manifest } from './manifest';

export interface ManifestAddress {
  readonly url: string;
  readonly sha256: string;
}

const FETCH_TIMEOUT_MS = 300_000;

async function fetched(url: string, sha256: string): Promise<Buffer> {
  const shown = url.split('?')[0]!;
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new ModelFault(shown, 'cannot be reached', cause);
  });
  if (!response.ok) throw new ModelFault(shown, `answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) throw new ModelFault(shown, `has sha256 ${actual}, not ${sha256}`);
  return bytes;
}

/** A file beside its manifest, with the query of the manifest's address: that of a bucket which wants one for reading. */
function beside(manifestUrl: string, file: string): string {
  const url = new URL(file, manifestUrl);
  url.search = new URL(manifestUrl).search;
  return url.toString();
}

/** Brings models of a bucket into a repository folder. The manifest is written last: a model is there as a whole or not at all. */
export async function fetchModels(addresses: readonly ManifestAddress[], repository: string): Promise<string[]> {
  const names: string[] = [];
  for (const { url, sha256 } of addresses) {
    const text = await fetched(url, sha256);
    const { name, version, files } = Manifest.parse(JSON.parse(text.toString('utf8')));
    const folder = join(repository, `${name}-${version}`);
    await mkdir(folder, { recursive: true });
    for (const [file, sum] of Object.entries(files)) await writeFile(join(folder, file), await fetched(beside(url, file), sum));
    await writeFile(join(folder, 'manifest.json'), text);
    names.push(`${name} ${version}`);
  }
  return names;
}
