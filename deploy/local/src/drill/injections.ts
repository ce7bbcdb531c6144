import { eventually } from '@tire/test-harness';
import { connect } from 'nats';
import { execFile } from 'node:child_process';
import { cp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PartnerClient } from '../client';
import { nodeProgram, runProgram } from '../programs';
import { stackDir } from '../stack-file';
import type { Drill } from './world';

export type Repair = () => Promise<void>;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const stopped = (name: string) => async (drill: Drill) => {
  drill.signal(name, 'SIGSTOP');
  return async () => drill.signal(name, 'SIGCONT');
};

/** Repeats until the repair. */
export function again(work: () => Promise<unknown>, pauseMs = 0): Repair {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work().catch(() => pause(200));
      await pause(pauseMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

export async function withNats<T>(drill: Drill, use: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> {
  const { username, password, host } = new URL(drill.file.nats_url);
  const connection = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const MORE_THAN_DELIVERIES = 20;
const CONTENT = 'content-analysis-ended';

/** As if the process were killed at each delivery: the operator takes the message and gives it back. */
export async function useUpDeliveries(drill: Drill): Promise<Repair> {
  drill.signal('content', 'SIGSTOP');
  await withNats(drill, async (connection) => {
    const manager = await connection.jetstreamManager();
    const waiting = async () => (await manager.consumers.info('FACTS_REPORTS', CONTENT)).num_waiting;
    await eventually(async () => (await waiting()) === 0, { message: 'content still pulls' });
    await drill.report('/none.jpg');
    const consumer = await connection.jetstream().consumers.get('FACTS_REPORTS', CONTENT);
    for (let taken = 0; taken < MORE_THAN_DELIVERIES;) {
      const message = await consumer.next({ expires: 10_000 });
      if (!message) continue;
      message.nak();
      taken += 1;
    }
  });
  drill.signal('content', 'SIGCONT');
  return async () => undefined;
}

/** The same rows as of a report that is not delivered, so many that the drill does not wait for their reports. */
export const COPIES = `
  INSERT INTO callbacks (id, project_id, type, report_id, analysis_revision, url, body, trace_headers, queued_at, next_attempt_at)
  SELECT gen_random_uuid(), project_id, 'callback.test', NULL, NULL, url, body, trace_headers, queued_at, now() + interval '1 hour'
  FROM (SELECT * FROM callbacks WHERE state = 'pending' LIMIT 1) one, generate_series(1, 1100)`;

export const hasPendingCallback = (drill: Drill) =>
  eventually(async () => (await drill.sql('share', `SELECT 1 FROM callbacks WHERE state = 'pending' AND attempt_count > 0`)).length > 0);

export async function delivered(drill: Drill): Promise<void> {
  drill.partner.receiver = 'takes';
  await drill.sql(
    'share',
    `UPDATE callbacks SET next_attempt_at = now(), claimed_until = NULL WHERE state = 'pending' AND type <> 'callback.test'`,
  );
}

/** The next version of the tread model, whose network came incompletely. */
export async function brokenModel({ modelsFolder }: Drill): Promise<Repair> {
  const folder = join(modelsFolder, 'tread-next');
  await cp(join(modelsFolder, 'tread'), folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { version: string };
  await writeFile(join(folder, 'tread.onnx'), (await readFile(join(folder, 'tread.onnx'))).subarray(0, 100_000));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  return () => rm(folder, { recursive: true });
}

const disk = () => join(stackDir(), 'objects');

export async function fullDisk(): Promise<Repair> {
  const { bavail, bsize, blocks } = await statfs(disk());
  const file = join(disk(), 'filler');
  await writeFile(file, Buffer.alloc(Math.floor((bavail - blocks * 0.04) * bsize)));
  return () => rm(file);
}

const PEOPLE = ['one', 'two', 'three', 'four'].map((name) => `${name}@shop.example`);

async function admin(...args: string[]): Promise<Record<string, string>> {
  const environment = await readFile(join(stackDir(), 'environment/gateway.env'), 'utf8');
  const variables = Object.fromEntries([...environment.matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]));
  const input = 'a long password of the drill';
  return JSON.parse(await runProgram(nodeProgram('gateway', 'admin.js'), [...args, '--json'], variables, input)) as Record<string, string>;
}

export async function forgottenPasswords(drill: Drill): Promise<Repair> {
  for (const email of PEOPLE) await admin('create-organization', '--name', email, '--owner-email', email, '--password-stdin');
  await drill.mail.stop();
  for (const email of PEOPLE) {
    const { origin } = new URL(drill.file.console_url);
    const answer = await fetch(`${drill.file.console_url}/api/password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email }),
    });
    if (answer.status !== 204) throw new Error(`A request for a password answered ${answer.status}: ${await answer.text()}`);
  }
  return () => drill.mail.start();
}

const INFERENCE_AWAY_MS = 66_000;
const LATE_REPORTS = 15;

/** Reports wait for the workers for longer than the objective allows. */
export async function lateWorkers(drill: Drill): Promise<Repair> {
  drill.signal('inference', 'SIGSTOP');
  for (let n = 0; n < LATE_REPORTS; n += 1) await drill.report();
  await pause(INFERENCE_AWAY_MS);
  drill.signal('inference', 'SIGCONT');
  return async () => undefined;
}

/** One organization cannot use up the places of the gateway, so there are many. */
const ORGANIZATIONS = 9;
const READS_OF_EACH = 12;

export async function manyPartners(): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < ORGANIZATIONS; n += 1) {
    const { id: organization } = await admin('create-organization', '--name', `Drill ${n}`);
    const { id: project } = await admin('create-project', '--organization', organization!, '--mode', 'live', '--name', 'Drill');
    const { key } = await admin('create-key', '--project', project!, '--scopes', 'report:read', '--name', 'drill');
    keys.push(key!);
  }
  return keys;
}

export const readsOf = (drill: Drill, keys: readonly string[]) => () =>
  Promise.all(
    keys
      .flatMap((key) => Array<string>(READS_OF_EACH).fill(key))
      .map((key) => new PartnerClient(drill.file, key).call('GET', '/reports').then((answer) => answer.arrayBuffer())),
  );

const NAPS = { asleepMs: 450, awakeMs: 200 };

/** A process that gets the CPU only now and then. */
export const naps = (drill: Drill, name: string) =>
  again(async () => {
    drill.signal(name, 'SIGSTOP');
    await pause(NAPS.asleepMs);
    drill.signal(name, 'SIGCONT');
    await pause(NAPS.awakeMs);
  });

const run = promisify(execFile);

/** A small disk of its own for the objects. Needs root; without it TireDiskFull is not drilled. */
export async function mountSmallDisk(): Promise<Repair> {
  await run('mkdir', ['-p', disk()]);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tire-drill', disk()]);
  return async () => void (await run('umount', ['-l', disk()]));
}
