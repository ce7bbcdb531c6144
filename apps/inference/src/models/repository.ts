import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Manifest, type Operation } from './manifest';

/** A model folder that was read whole: its manifest holds and every file is the one that the manifest names. */
export interface ModelFolder {
  readonly folder: string;
  readonly manifest: Manifest;
}

export class ModelFault extends Error {
  constructor(folder: string, reason: string, cause?: unknown) {
    super(`model ${folder}: ${reason}`, { cause });
    this.name = 'ModelFault';
  }
}

/** One model for each operation asked for. A repository with two models for one operation, or none, is refused. */
export async function loadRepository(repository: string, operations: readonly Operation[]): Promise<ModelFolder[]> {
  const entries = await readdir(repository, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ModelFault(repository, 'the repository folder cannot be read', cause);
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(repository, entry.name));
  const models = await Promise.all(folders.map(async (folder) => ({ folder, manifest: await readManifest(folder) })));
  const chosen = operations.map((operation) => {
    const fitting = models.filter(({ manifest }) => manifest.operation === operation);
    if (fitting.length !== 1) throw new ModelFault(repository, `${fitting.length} models for ${operation}, one is needed`);
    return fitting[0]!;
  });
  await Promise.all(chosen.map(verifyFiles));
  return chosen;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((cause: unknown) => {
    throw new ModelFault(folder, 'manifest.json cannot be read', cause);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ModelFault(folder, 'manifest.json is not JSON', cause);
  }
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) throw new ModelFault(folder, z.prettifyError(parsed.error));
  return parsed.data;
}

async function verifyFiles({ folder, manifest }: ModelFolder): Promise<void> {
  const used = [...Object.values(manifest.networks).map(({ file }) => file), ...Object.values(manifest.tables), manifest.golden.image];
  const unlisted = used.filter((file) => !(file in manifest.files));
  if (unlisted.length > 0) throw new ModelFault(folder, `no sha256 for ${unlisted.join(', ')}`);
  for (const [file, expected] of Object.entries(manifest.files)) {
    const bytes = await readFile(join(folder, file)).catch((cause: unknown) => {
      throw new ModelFault(folder, `${file} cannot be read`, cause);
    });
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== expected) throw new ModelFault(folder, `${file} has sha256 ${actual}, the manifest says ${expected}`);
  }
}
