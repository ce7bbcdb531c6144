import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Manifest, type Operation } from './manifest';

/** A model folder with a valid manifest. Its files are verified when they are loaded. */
export interface ModelFolder<M = Manifest> {
  readonly folder: string;
  readonly manifest: M;
  /** sha256 of the manifest, which contains the sha256 of every file: it differs between models. */
  readonly fingerprint: string;
  /** Of a candidate, which is not directly in its repository. */
  readonly repository?: string;
}

/** Where the models of the other operations are. */
export const repositoryOf = ({ folder, repository }: Pick<ModelFolder, 'folder' | 'repository'>): string => repository ?? dirname(folder);

export class ModelFault extends Error {
  constructor(folder: string, reason: string, cause?: unknown) {
    super(`model ${folder}: ${reason}`, { cause });
    this.name = 'ModelFault';
  }
}

/**
 * The model with the highest version for each of the operations. A folder without a manifest is skipped: an upload writes the manifest
 * last, and a rollback removes the folder.
 */
export const loadRepository = (repository: string, operations: readonly Operation[]): Promise<ModelFolder[]> =>
  loadRepositoryOf(Manifest, repository, operations);

interface Versioned {
  readonly operation: Operation;
  readonly version: string;
}

/** The same with another schema of manifests. */
export async function loadRepositoryOf<M extends Versioned>(
  schema: z.ZodType<M>,
  repository: string,
  operations: readonly Operation[],
): Promise<ModelFolder<M>[]> {
  const models = await modelsIn(schema, repository);
  return operations.map((operation) => {
    const model = newest(repository, operation, models);
    if (!model) throw new ModelFault(repository, `no model for ${operation}`);
    return model;
  });
}

/** Of those operations that have a model. */
export async function loadPresent(repository: string, operations: readonly Operation[]): Promise<ModelFolder[]> {
  const models = await modelsIn(Manifest, repository);
  return operations.map((operation) => newest(repository, operation, models)).filter((model) => model !== undefined);
}

async function modelsIn<M extends Versioned>(schema: z.ZodType<M>, repository: string): Promise<ModelFolder<M>[]> {
  const entries = await readdir(repository, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ModelFault(repository, 'the repository folder cannot be read', cause);
  });
  // Kubernetes mounts a folder as a link, and keeps the next version of it under a name that begins with a dot.
  const visible = entries.filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()));
  const folders = visible.map(({ name }) => join(repository, name));
  return (await Promise.all(folders.map((folder) => readModel(schema, folder)))).filter((model) => model !== undefined);
}

function newest<M extends Versioned>(
  repository: string,
  operation: Operation,
  models: readonly ModelFolder<M>[],
): ModelFolder<M> | undefined {
  const fitting = models.filter(({ manifest }) => manifest.operation === operation).sort(byVersion);
  const [first, second] = fitting;
  if (first && second && byVersion(first, second) === 0)
    throw new ModelFault(repository, `${operation} ${first.manifest.version} exists twice`);
  return first;
}

/** The highest first. */
export const byVersion = (a: ModelFolder<Versioned>, b: ModelFolder<Versioned>): number => {
  const [left, right] = [a, b].map(({ manifest }) => manifest.version.split('.').map(Number));
  return right![0]! - left![0]! || right![1]! - left![1]! || right![2]! - left![2]!;
};

async function readModel<M>(schema: z.ZodType<M>, folder: string): Promise<ModelFolder<M> | undefined> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
    throw new ModelFault(folder, 'manifest.json cannot be read', cause);
  });
  if (text === undefined) return undefined;
  return { folder, manifest: parsed(schema, folder, text), fingerprint: createHash('sha256').update(text).digest('hex') };
}

function parsed<M>(schema: z.ZodType<M>, folder: string, text: string): M {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ModelFault(folder, 'manifest.json is not JSON', cause);
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new ModelFault(folder, z.prettifyError(result.error));
  return result.data;
}

/** Verifies every file against the manifest. Runs in the model's thread, because hashing megabytes would block the main one. */
export async function verifyFiles({ folder, manifest }: ModelFolder): Promise<void> {
  const used = [...Object.values(manifest.networks).map(({ file }) => file), ...Object.values(manifest.tables), manifest.golden.image];
  const unlisted = used.filter((file) => !(file in manifest.files));
  if (unlisted.length > 0) throw new ModelFault(folder, `no sha256 for ${unlisted.join(', ')}`);
  for (const [file, expected] of Object.entries(manifest.files)) {
    const bytes = await readFile(join(folder, file)).catch((cause: unknown) => {
      throw new ModelFault(folder, `${file} cannot be read`, cause);
    });
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== expected) throw new ModelFault(folder, `${file} has sha256 ${actual}, the manifest has ${expected}`);
  }
}
