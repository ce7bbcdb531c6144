import { readObject } from '@tire/platform';
import { createHash } from 'node:crypto';
import { Client } from 'minio';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelFault } from './repository';
import { Manifest } from './manifest';

export interface ManifestAddress {
  readonly url: string;
  readonly sha256: string;
}

/** Credentials of a bucket that is not public. */
export interface BucketKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

const FETCH_TIMEOUT_MS = 300_000;
const FILE_BYTES_MAX = 1024 * 1024 * 1024;

/** A presigned address of an object, <endpoint>/<bucket>/<key>, valid for the duration of the download. */
function signed(url: string, keys: BucketKeys): Promise<string> {
  const { hostname, port, protocol, pathname } = new URL(url);
  const [bucket, ...key] = decodeURIComponent(pathname.slice(1)).split('/');
  const client = new Client({ endPoint: hostname, port: port ? Number(port) : undefined, useSSL: protocol === 'https:', ...keys });
  return client.presignedGetObject(bucket!, key.join('/'), FETCH_TIMEOUT_MS / 1000);
}

async function fetched(url: string, sha256: string, keys: BucketKeys | undefined): Promise<Buffer> {
  const shown = url.split('?')[0]!;
  const requested = keys ? await signed(url, keys) : url;
  const bytes = await readObject(requested, { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: FILE_BYTES_MAX }).catch((cause: Error) => {
    throw new ModelFault(shown, cause.message, cause);
  });
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) throw new ModelFault(shown, `has sha256 ${actual}, not ${sha256}`);
  return bytes;
}

/** The address of a file beside its manifest, with the manifest's query, which may hold a signature. */
function beside(manifestUrl: string, file: string): string {
  const url = new URL(file, manifestUrl);
  url.search = new URL(manifestUrl).search;
  return url.toString();
}

/** Downloads models from a bucket into a repository folder. The manifest is written last, so that a model is complete or absent. */
export async function fetchModels(addresses: readonly ManifestAddress[], repository: string, keys?: BucketKeys): Promise<string[]> {
  const names: string[] = [];
  for (const { url, sha256 } of addresses) {
    const text = await fetched(url, sha256, keys);
    const { name, version, files } = Manifest.parse(JSON.parse(text.toString('utf8')));
    const folder = join(repository, `${name}-${version}`);
    await mkdir(folder, { recursive: true });
    for (const [file, sum] of Object.entries(files)) await writeFile(join(folder, file), await fetched(beside(url, file), sum, keys));
    await writeFile(join(folder, 'manifest.json'), text);
    names.push(`${name} ${version}`);
  }
  return names;
}
