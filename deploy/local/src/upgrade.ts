import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { PartnerClient, upload } from './client';
import { ensureDatabases } from './databases';
import { ensureKeys } from './keys';
import { receiveCallbacks } from './listeners';
import { sampleImages, type Sample } from './samples';
import { startServers } from './pods/servers';
import { PodServices, type Replicas } from './pods/services';
import { choosePorts, migrate } from './stack';
import { stackDir } from './stack-file';
import { step } from './progress';
import { addresses, SERVICES, serviceEnvironment } from './topology';
import { SteadyLoad } from './upgrade/load';
import { formerAndThis, thisAndNext } from './upgrade/builds';

/**
 * `npm run bench:upgrade` replaces all services by the next build, which has one more migration, and then by the former build on the schema
 * of the next one. With `-- --from REF` the former build is that of a commit, and the next one is this build. It replaces one pod after the other while requests come at an even rate. No request may fail and no report may be lost.
 * UPGRADE_SECONDS (300) is the minimum for each direction, UPGRADE_RATE (200) the requests a second, UPGRADE_REPLICAS (2) the pods.
 */

const SECONDS = Number(process.env['UPGRADE_SECONDS'] ?? 300);
const PER_SECOND = Number(process.env['UPGRADE_RATE'] ?? 200);
const REPLICAS = Number(process.env['UPGRADE_REPLICAS'] ?? 2);
/** One worker uses all CPU. Two would not measure faster. */
const replicas = Object.fromEntries(SERVICES.map((name) => [name, name === 'inference' ? 1 : REPLICAS])) as Replicas;

process.env['STACK_DIR'] ??= join(tmpdir(), `tire-upgrade-${process.pid}`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates a report with images while services are replaced. Its callback must arrive. */
async function measuredReport(client: PartnerClient, samples: readonly Sample[], callback_url: string): Promise<string> {
  const { report_id, upload_targets = [] } = await client.create({ template: 'tire_4t_0s', callback_url });
  await Promise.all(upload_targets.map((target) => upload(target, samples)));
  const images = upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await client.json('POST', `/reports/${report_id}/images`, { images });
  return report_id;
}

type Databases = Awaited<ReturnType<typeof ensureDatabases>>;

interface Direction {
  readonly name: 'forward' | 'back';
  readonly build: string;
  /** The expected output of every migration. The way back needs none. */
  readonly migrated: RegExp;
}

async function inDirection(
  { name, build, migrated }: Direction,
  databases: Databases,
  services: PodServices,
  between: () => Promise<void>,
) {
  const startedMs = performance.now();
  const output = await step(`${name}: migrations`, () => migrate(databases, build));
  const other = output.filter((line) => !migrated.test(line));
  if (other.length > 0) throw new Error(`These migrations did not print ${migrated}:\n${other.join('')}`);
  for (const [index, service] of SERVICES.entries()) {
    await between();
    await step(`${name}: ${service} replaced`, () => services.replace(service, build));
    await pause(Math.max(0, startedMs + ((index + 1) / SERVICES.length) * SECONDS * 1000 - performance.now()));
  }
}

type Callbacks = Awaited<ReturnType<typeof receiveCallbacks>>;

/** Reports without a callback. */
async function notCalledBack(callbacks: Callbacks, reports: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const id of reports) await callbacks.next(({ body }) => body.includes(id)).catch(() => missing.push(id));
  return missing;
}

async function main(): Promise<number> {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
  const { secrets, postgres, nats, stop } = await step('Postgres and NATS', startServers);
  const [ports, databases] = [await choosePorts(), await ensureDatabases(postgres.url, secrets.postgresPassword)];
  const environment = serviceEnvironment({ ports, databases, natsUrl: nats.url, secrets, caFile: '' });
  // The bench counts requests that fail because of the upgrade, not those that a busy machine sheds.
  environment.gateway['SHED_LOOP_LAG_MS'] = '0';
  const services = new PodServices(ports, environment);
  const callbacks = await receiveCallbacks({ callback_origin: addresses(ports).callbackOrigin });
  try {
    const { former, next, migrated } = await step(from ? `the build of ${from}` : 'the next build', () =>
      from ? formerAndThis(from, join(stackDir(), 'former')) : thisAndNext(join(stackDir(), 'next')),
    );
    await migrate(databases, former);
    const { keys } = await ensureKeys(environment, secrets, former);
    await step('six services', () => services.start(former, replicas));
    const client = new PartnerClient({ base_url: addresses(ports).baseUrl }, keys.live);
    const samples = await sampleImages(join(stackDir(), 'samples'));
    const measuredNow = () => measuredReport(client, samples, `${addresses(ports).callbackOrigin}/ended`);
    const first = await step('a first report', async () => client.finished(await measuredNow()));
    const load = new SteadyLoad(client, { id: first.report_id, page: first.links.share! }, PER_SECOND);
    const measured: string[] = [];
    const measureOne = () =>
      measuredNow().then(
        (id) => void measured.push(id),
        (error: Error) => load.failed(error, 'a report with photographs'),
      );
    load.start();
    const content = await client.content(first.report_id);
    const directions: Direction[] = [
      { name: 'forward', build: next, migrated },
      { name: 'back', build: former, migrated: /nothing to apply/ },
    ];
    for (const direction of directions) {
      await inDirection(direction, databases, services, measureOne);
      if (!isDeepStrictEqual(await client.content(first.report_id), content)) throw new Error(`${direction.name}: content has changed`);
    }
    await load.stop();
    const [lost, reports] = [await load.lost(), await Promise.all(measured.map((id) => client.finished(id)))];
    const unfinished = reports.filter(({ analysis_status }) => analysis_status !== 'complete');
    const uncalled = await notCalledBack(callbacks, measured);
    console.log(
      `${load.sent} requests at ${PER_SECOND}/s, ${load.failures.length} failed; ${load.created.length} reports created, ${lost.length} lost; ` +
        `${measured.length} measured meanwhile, ${unfinished.length} of them not complete, ${uncalled.length} not called back`,
    );
    if (load.failures.length > 0) for (const line of [...load.failures, ...services.faults].sort().slice(0, 100)) console.log(`  ${line}`);
    return load.failures.length + lost.length + unfinished.length + uncalled.length === 0 ? 0 : 1;
  } finally {
    await services.stop();
    await callbacks.close();
    await stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe upgrade failed: ${error.message}`);
    process.exit(1);
  },
);
