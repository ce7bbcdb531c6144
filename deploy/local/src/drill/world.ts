import { eventually, startMailServer, testCa } from '@tire/test-harness';
import { queryDatabase } from '@tire/test-harness/bench';
import { randomUUID } from 'node:crypto';
import { chown, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { Client } from 'pg';
import sharp from 'sharp';
import { PartnerClient } from '../client';
import { Links } from '../links/links';
import { type Sample, sampleImages } from '../samples';
import { type Stack, startStack } from '../stack';
import { REPOSITORY_ROOT, stackDir, type StackFile } from '../stack-file';
import { SERVICES, type ServiceName } from '../topology';

const READ_EVERY_MS = 100;
/** Longer than every deadline of the services, so that each read has an answer of the service. */
const READ_TIMEOUT_MS = 60_000;
/** Long enough for the alert to be quiet, and too short for it. */
const DAYS_GOOD = 300;
const DAYS_BAD = 5;
export const POISON_PATH = '/poison.jpg';
/** So few that a drill can use them up: more than the connections of a service, and as many again to wait for one. */
const IN_FLIGHT_MAX = 40;

export interface Drill {
  readonly stack: Stack;
  readonly file: StackFile;
  readonly links: Links;
  readonly client: PartnerClient;
  readonly modelsFolder: string;
  readonly operationsPorts: Record<ServiceName, number>;
  readonly partner: Partner;
  /** A report whose photographs the service fetches from a partner's host. */
  report(path?: string): Promise<string>;
  /** A published report: what the load reads. */
  readonly published: string;
  sql<R extends object>(service: string, sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** A transaction that holds a lock until it is released. */
  lock(service: string, statement: string): Promise<() => Promise<void>>;
  signal(name: string, signal: NodeJS.Signals): void;
  /** Kills the service, which starts again with these variables. Returns those of before. */
  restartWith(name: ServiceName, variables: Record<string, string>): Promise<Record<string, string | undefined>>;
  certificateOfPostgres(days: number): Promise<void>;
  readonly mail: { stop(): Promise<void>; start(): Promise<void> };
  /** After a fault that could not be injected whole: every process runs, no link is cut. */
  calm(): void;
  stop(): Promise<void>;
}

export const DAYS = { good: DAYS_GOOD, bad: DAYS_BAD };

/** Postgres gets a certificate. The key belongs to the user of its data, as Postgres demands. */
async function giveCertificate(postgresUrl: string, days: number): Promise<void> {
  const folder = join(stackDir(), 'postgres');
  const { uid, gid } = await stat(folder);
  const { cert, key } = await testCa(days);
  for (const [name, text] of [
    ['drill.crt', cert],
    ['drill.key', key],
  ] as const) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    await chown(join(folder, name), uid, gid);
  }
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  for (const [setting, value] of [
    ['ssl_cert_file', 'drill.crt'],
    ['ssl_key_file', 'drill.key'],
    ['ssl', 'on'],
  ])
    await client.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

const listen = (server: Server, origin: string) =>
  new Promise<void>((resolve, reject) => server.once('error', reject).listen(Number(new URL(origin).port), '127.0.0.1', resolve));

async function poison(): Promise<Sample['bytes']> {
  const create = { width: 1_280, height: 960, channels: 3 as const, background: '#ff00ff' };
  return new Uint8Array(await sharp({ create }).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer());
}

interface Partner {
  /** How the receiver of callbacks answers from now on. */
  receiver: 'takes' | 'refuses';
  stop(): void;
}

/** A host of images, with a poisonous one, and a receiver of callbacks. */
async function startPartner({ images_origin, callback_origin, tls }: StackFile, samples: readonly Sample[]): Promise<Partner> {
  const images = new Map([...samples.map(({ path, bytes }) => [path, bytes] as const), [POISON_PATH, await poison()]]);
  const host = createHttpsServer({ cert: await readFile(tls.cert), key: await readFile(tls.key) }, (request, response) => {
    const bytes = images.get(request.url ?? '');
    if (bytes) response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
    else response.writeHead(404).end();
  });
  const receiver = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(partner.receiver === 'takes' ? 204 : 500).end();
  });
  const partner: Partner = {
    receiver: 'takes',
    stop() {
      for (const server of [host, receiver]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
  await Promise.all([listen(host, images_origin), listen(receiver, callback_origin)]);
  return partner;
}

/** Four photographs, which the service fetches from the partner's host; with a path only that one, so that its end is that of the report. */
async function createReport(client: PartnerClient, file: StackFile, samples: readonly Sample[], path?: string): Promise<string> {
  const treads = samples.filter(({ slot }) => slot.image_type === 'tread');
  const images = path === undefined ? treads : [{ ...treads[0]!, path }];
  const { report_id } = await client.create({
    template: 'tire_4t_0s',
    external_inspection_id: randomUUID(),
    callback_url: `${file.callback_origin}/drill`,
    images: images.map(({ slot, path: at }) => ({ module_type: 'tire', slot, source: { url: `${file.images_origin}${at}` } })),
  });
  return report_id;
}

/** All eight photographs: what the load reads. */
async function publishedReport(client: PartnerClient, file: StackFile, samples: readonly Sample[]): Promise<{ id: string; page: string }> {
  const created = await client.create({
    template: 'tire_4t_4s',
    callback_url: `${file.callback_origin}/drill`,
    images: samples.map(({ slot, path }) => ({ module_type: 'tire', slot, source: { url: `${file.images_origin}${path}` } })),
  });
  const { report_id: id, links } = await client.finished(created.report_id);
  return { id, page: links.share! };
}

type Environments = Record<ServiceName, Record<string, string>>;

async function startOwnStack(links: Links, modelsFolder: string, keep: (environments: Environments) => void): Promise<Stack> {
  return startStack({
    links,
    adjust: async (environment, postgresUrl) => {
      await giveCertificate(postgresUrl, DAYS_GOOD);
      keep(environment);
      environment.content['DATABASE_URL'] += '?sslmode=no-verify';
      environment.gateway['REQUESTS_IN_FLIGHT_MAX'] = String(IN_FLIGHT_MAX);
      Object.assign(environment.inference, {
        MODEL_REPOSITORY: modelsFolder,
        MODEL_REPOSITORY_LOOK_MS: '1000',
        NODE_OPTIONS: `--require ${join(REPOSITORY_ROOT, 'deploy/local/src/drill/poison.cjs')}`,
      });
    },
  });
}

const operationsPortsOf = (environments: Environments) =>
  Object.fromEntries(SERVICES.map((name) => [name, Number(environments[name]['OPERATIONS_PORT'])])) as Drill['operationsPorts'];

const restarting =
  (file: StackFile, environments: Environments): Drill['restartWith'] =>
  async (name, variables) => {
    const before = Object.fromEntries(Object.keys(variables).map((variable) => [variable, environments[name][variable]]));
    // The supervisor starts a service with the environment of this moment.
    Object.assign(environments[name], variables);
    const pid = file.pids[name]!;
    process.kill(pid, 'SIGKILL');
    await eventually(async () => file.pids[name] !== pid, { message: `${name} does not start again` });
    return before;
  };

/** A stack of its own, with a mail server, TLS to Postgres, a copy of the models, and a cut between every two processes. */
export async function startDrill(): Promise<Drill> {
  const links = new Links();
  let mailServer = await startMailServer();
  const { port: mailPort } = mailServer;
  Object.assign(process.env, { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(mailPort), SMTP_TLS: 'none', SMTP_FROM: 'drill@shop.example' });
  const modelsFolder = join(stackDir(), 'models');
  await mkdir(stackDir(), { recursive: true });
  await cp(join(REPOSITORY_ROOT, 'apps/inference/models'), modelsFolder, { recursive: true });
  let environments = {} as Environments;
  const stack = await startOwnStack(links, modelsFolder, (given) => (environments = given));
  const operationsPorts = operationsPortsOf(environments);
  const { file } = stack;
  const client = new PartnerClient(file, file.keys.live);
  const samples = await sampleImages(join(stackDir(), 'samples'));
  const partner = await startPartner(file, samples);
  const report = (path?: string) => createReport(client, file, samples, path);
  const published = await publishedReport(client, file, samples);
  const stopLoad = startLoad(file, [`${file.base_url}/reports/${published.id}`, published.page]);
  const urlOf = (service: string) => Object.assign(new URL(file.postgres_url), { pathname: `/tire_${service}` }).toString();
  return {
    stack,
    file,
    links,
    client,
    modelsFolder,
    operationsPorts,
    published: published.id,
    report,
    partner,
    sql: (service, sql, params) => queryDatabase(file, `tire_${service}`, sql, params),
    async lock(service, statement) {
      const holder = new Client({ connectionString: urlOf(service) });
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query(statement);
      return () => holder.end();
    },
    signal: (name, signal) => void process.kill(file.pids[name]!, signal),
    restartWith: restarting(file, environments),
    certificateOfPostgres: (days) => giveCertificate(file.postgres_url, days),
    mail: {
      stop: () => mailServer.stop(),
      async start() {
        mailServer = await startMailServer({ port: mailPort });
      },
    },
    calm() {
      for (const pid of Object.values(file.pids)) process.kill(pid, 'SIGCONT');
      for (const name of links.names) links.get(name).heal();
      partner.receiver = 'takes';
    },
    async stop() {
      stopLoad();
      partner.stop();
      await stack.stop();
      await Promise.all([links.closeAll(), mailServer.stop()]);
    },
  };
}

/** Reads of a report and of its page at an even rate, as partners and visitors send them. */
function startLoad({ keys }: StackFile, addresses: readonly string[]): () => void {
  const headers = { authorization: `Bearer ${keys.live}` };
  let turn = 0;
  const timer = setInterval(() => {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    fetch(addresses[(turn += 1) % addresses.length]!, { headers, signal }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
  }, READ_EVERY_MS);
  return () => clearInterval(timer);
}
