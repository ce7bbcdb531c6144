import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNatsBinary, freePort, startNatsServer, startPostgres } from '@tire/test-harness';
import { PartnerClient, upload } from './client';
import { ensureDatabases } from './databases';
import { ensureKeys } from './keys';
import { sampleImages, type Sample } from './samples';
import { loadSecrets } from './secrets';
import { choosePorts, migrate } from './stack';
import { REPOSITORY_ROOT, stackDir } from './stack-file';
import { step } from './progress';
import { addresses, SERVICES, serviceEnvironment } from './topology';
import { SteadyLoad } from './upgrade/load';
import { RollingServices } from './upgrade/rolling';

/**
 * `npm run bench:upgrade`: every service is replaced by the next build and then by the former one again, one after the other, while
 * requests come evenly. None may fail, and no report may be lost. UPGRADE_SECONDS (300) and UPGRADE_RATE (200 requests a second).
 */

const SECONDS = Number(process.env['UPGRADE_SECONDS'] ?? 300);
const PER_SECOND = Number(process.env['UPGRADE_RATE'] ?? 200);
process.env['STACK_DIR'] ??= join(tmpdir(), `tire-upgrade-${process.pid}`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function infrastructure() {
  await mkdir(join(stackDir(), 'logs'), { recursive: true });
  const secrets = await loadSecrets();
  const postgres = await startPostgres({
    dataDir: join(stackDir(), 'postgres'),
    port: await freePort(),
    durable: true,
    password: secrets.postgresPassword,
  });
  const binary = await ensureNatsBinary(join(REPOSITORY_ROOT, '.local/cache'));
  const nats = await startNatsServer({ binary, storeDir: join(stackDir(), 'nats'), port: await freePort() });
  const stop = async () => {
    await nats.stop();
    await postgres.stop();
  };
  return { secrets, postgres, nats, stop };
}

/** A report whose photographs are measured while services come and go. */
async function measuredReport(client: PartnerClient, samples: readonly Sample[]): Promise<string> {
  const { report_id, upload_targets = [] } = await client.create({ template: 'tire_4t_0s' });
  await Promise.all(upload_targets.map((target) => upload(target, samples)));
  const images = upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await client.json('POST', `/reports/${report_id}/images`, { images });
  return report_id;
}

async function main(): Promise<number> {
  const { secrets, postgres, nats, stop } = await step('Postgres and NATS', infrastructure);
  const [ports, databases] = [await choosePorts(), await ensureDatabases(postgres.url, secrets.postgresPassword)];
  const environment = serviceEnvironment({ ports, databases, natsUrl: nats.url, secrets, caFile: '' });
  const services = new RollingServices(ports, environment);
  try {
    await migrate(databases);
    const { keys } = await ensureKeys(environment, secrets);
    await step('six services', () => services.start());
    const client = new PartnerClient({ base_url: addresses(ports).baseUrl }, keys.live);
    const samples = await sampleImages(join(stackDir(), 'samples'));
    const load = new SteadyLoad(client, PER_SECOND);
    const startedMs = performance.now();
    load.start();
    const measured: string[] = [];
    for (const direction of ['forward', 'back'] as const) {
      await step(`${direction}: migrations`, () => migrate(databases));
      for (const [index, name] of SERVICES.entries()) {
        await measuredReport(client, samples).then((id) => measured.push(id), load.failed);
        await step(`${direction}: ${name} replaced`, () => services.replace(name));
        const share = (index + 1) / (2 * SERVICES.length) + (direction === 'back' ? 0.5 : 0);
        await pause(Math.max(0, startedMs + share * SECONDS * 1000 - performance.now()));
      }
    }
    await load.stop();
    const [lost, reports] = [await load.lost(), await Promise.all(measured.map((id) => client.finished(id)))];
    const unfinished = reports.filter(({ analysis_status }) => analysis_status !== 'complete');
    console.log(
      `${load.sent} requests at ${PER_SECOND}/s, ${load.failures.length} failed; ${load.created.length} reports created, ${lost.length} lost; ` +
        `${measured.length} measured meanwhile, ${unfinished.length} of them not complete`,
    );
    for (const failure of load.failures.slice(0, 20)) console.log(`  ${failure}`);
    return load.failures.length + lost.length + unfinished.length === 0 ? 0 : 1;
  } finally {
    await services.stop();
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
