import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `.local/stack.json`: how any client or script finds a running stack. */
export interface StackFile {
  base_url: string;
  share_url: string;
  console_url: string;
  /** Answers 200 while the gateway runs. */
  health_url: string;
  console_login: { email: string; password: string };
  keys: { test: string; live: string; read_only: string; other: string };
  webhook_secret: string;
  /** The two loopback origins that the outbound guards of this stack allow. A client that uses them starts the servers. */
  images_origin: string;
  callback_origin: string;
  /** The launcher serves the photographs of the guide here. The guards allow it too. */
  samples_origin: string;
  tls: { ca: string; cert: string; key: string };
  pids: Record<string, number>;
  postgres_url: string;
  nats_url: string;
}

/** Works from the source tree and from dist/. */
function repositoryRoot(folder = __dirname): string {
  return existsSync(join(folder, 'nx.json')) ? folder : repositoryRoot(dirname(folder));
}

export const REPOSITORY_ROOT = repositoryRoot();

/** STACK_DIR lets a second stack run beside the first one in the same checkout. */
export const stackDir = (): string => process.env['STACK_DIR'] ?? join(REPOSITORY_ROOT, '.local');

const stackFilePath = (): string => join(stackDir(), 'stack.json');

/** Written atomically, so that a client that polls for it never reads a part. */
async function replaceStackFile(stack: StackFile): Promise<void> {
  const path = stackFilePath();
  await writeFile(`${path}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

let written: Promise<void> = Promise.resolve();

/** Writes are serialized: several services may restart at the same time. */
export function writeStackFile(stack: StackFile): Promise<void> {
  written = written.catch(() => undefined).then(() => replaceStackFile(stack));
  return written;
}

/** One file a service, for its commands: `node --env-file=.local/environment/assets.env dist/apps/assets/src/admin.js check`. */
export async function writeEnvironments(environment: Record<string, Record<string, string>>): Promise<void> {
  const folder = join(stackDir(), 'environment');
  await mkdir(folder, { recursive: true });
  const lines = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `${name}="${value}"\n`);
  const write = ([service, values]: [string, Record<string, string>]) =>
    writeFile(join(folder, `${service}.env`), lines(values).join(''), { mode: 0o600 });
  await Promise.all(Object.entries(environment).map(write));
}

export const removeStackFile = (): Promise<void> => rm(stackFilePath(), { force: true });

export async function readStackFile(): Promise<StackFile | undefined> {
  const text = await readFile(stackFilePath(), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as StackFile);
}

/** The running stack, if its gateway answers. A file that a killed stack left is ignored. */
export async function runningStack(): Promise<StackFile | undefined> {
  const stack = await readStackFile();
  if (!stack) return undefined;
  const alive = await fetch(stack.health_url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
  return alive ? stack : undefined;
}
