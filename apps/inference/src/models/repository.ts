import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Manifest, type Operation } from './manifest';

/** A model folder whose manifest holds. Its files are held against the manifest where they are loaded. */
export interface ModelFolder {
  readonly folder: string;
  readonly manifest: Manifest;
  /** sha256 of the manifest, which names the sha256 of every file: another model has another one. */
  readonly fingerprint: string;
}

export class ModelFault extends Error {
  constructor(folder: string, reason: string, cause?: unknown) {
    super(`model ${folder}: ${reason}`, { cause });
    this.name = 'ModelFault';
  }
}

/**
 * For each operation asked for the model with the highest version. A folder without a manifest is not there yet: whoever brings a new
 * version writes the manifest last, and takes the folder away to go back.
 */
export async function loadRepository(repository: string, operations: readonly Operation[]): Promise<ModelFolder[]> {
  const entries = await readdir(repository, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ModelFault(repository, 'the repository folder cannot be read', cause);
  });
  // A mounted volume shows its folders as links, and keeps what it is about to show under names with a dot.
  const shown = entries.filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()));
  const folders = shown.map(({ name }) => join(repository, name));
  const models = (await Promise.all(folders.map(readModel))).filter((model) => model !== undefined);
  return operations.map((operation) => newest(repository, operation, models));
}

function newest(repository: string, operation: Operation, models: readonly ModelFolder[]): ModelFolder {
  const fitting = models.filter(({ manifest }) => manifest.operation === operation).sort(byVersion);
  const [first, second] = fitting;
  if (!first) throw new ModelFault(repository, `no model for ${operation}`);
  if (second && byVersion(first, second) === 0) throw new ModelFault(repository, `${operation} ${first.manifest.version} is there twice`);
  return first;
}

/** The highest first. */
const byVersion = (a: ModelFolder, b: ModelFolder): number => {
  const [left, right] = [a, b].map(({ manifest }) => manifest.version.split('.').map(Number));
  return right![0]! - left![0]! || right![1]! - left![1]! || right![2]! - left![2]!;
};

async function readModel(folder: string): Promise<ModelFolder | undefined> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
    throw new ModelFault(folder, 'manifest.json cannot be read', cause);
  });
  if (text === undefined) return undefined;
  return { folder, manifest: manifestOf(folder, text), fingerprint: createHash('sha256').update(text).digest('hex') };
}

function manifestOf(folder: string, text: string): Manifest {
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

/** Every file is the one that the manifest names. In the model's thread: hashing megabytes would hold the main one up. */
export async function verifyFiles({ folder, manifest }: ModelFolder): Promise<void> {
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
