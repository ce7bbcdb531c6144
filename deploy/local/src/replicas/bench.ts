// `npm run bench:replicas`: two gateways and three of each other service behind one address, beside a system with one of each. With several
// nothing may be lost or doubled, and each rate must be at least nine tenths of that of one of each, measured in turn.
import {
  type Measured,
  measureInTurn,
  rateBeside,
  runBench,
  type Scenario,
  spreadOver,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartnerClient } from '../client';
import { receiveCallbacks } from '../listeners';
import type { Replicas } from '../pods/services';
import { step } from '../progress';
import { sampleImages, type Sample } from '../samples';
import { checkTogether, measuredReport, type Partner } from './checks';
import { startSystem } from './system';

const ONE: Replicas = { gateway: 1, ledger: 1, assets: 1, inference: 1, content: 1, share: 1 };
/** Of inference one: a worker uses every core, and two would not measure faster. */
const SEVERAL: Replicas = { gateway: 2, ledger: 3, assets: 3, inference: 1, content: 3, share: 3 };
const KEPT_MIN = 0.9;
const READ_REPORTS = 1_000;
const TOGETHER = 50;
const CREATION = { plate_number: '12가 3456', template: 'tire_4t_0s' };
/** The requests are made in a thread, so that they share no event loop with the ingress, which is part of this process. */
const IN_A_THREAD = { workers: 1 };

async function createReports(client: PartnerClient): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < READ_REPORTS) {
    const made = await Promise.all(Array.from({ length: TOGETHER }, () => client.create(CREATION)));
    ids.push(...made.map(({ report_id }) => report_id));
  }
  return ids;
}

/** A system with reports to read and an open page. */
async function preparedSystem(name: string, folder: string, replicas: Replicas, samples?: readonly Sample[]) {
  const system = await step(name, () => startSystem(name, folder, replicas));
  const { at, keys, postgresUrl } = system;
  const images = samples ?? (await sampleImages(system.samplesFolder));
  const callbacks = await receiveCallbacks({ callback_origin: at.callbackOrigin });
  const partner: Partner = {
    baseUrl: at.baseUrl,
    callbackUrl: `${at.callbackOrigin}/ended`,
    postgresUrl,
    keys,
    samples: images,
    callbacks,
  };
  const client = new PartnerClient({ base_url: at.baseUrl }, keys.live);
  const page = await step('a first report', async () => (await client.finished(await measuredReport(partner, keys.live))).links.share!);
  const reports = await step(`${READ_REPORTS} reports`, () => createReports(client));
  return { system, partner, client, page, reports, samples: images };
}

type Prepared = Awaited<ReturnType<typeof preparedSystem>>;

function scenariosOf({ system: { name, at, keys, pids }, page, reports }: Prepared): Scenario[] {
  const { origin, pathname } = new URL(at.baseUrl);
  const headers = { authorization: `Bearer ${keys.live}` };
  const post = { method: 'POST' as const, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(CREATION) };
  const read = spreadOver(
    origin,
    reports.map((id) => `${pathname}/reports/${id}`),
    { headers },
  );
  return [
    { name: `GET /reports/{id}, ${name}`, status: 200, request: { ...read, ...IN_A_THREAD }, pids, edge: 'gateway' },
    {
      name: `POST /reports, ${name}`,
      status: 201,
      request: { url: `${at.baseUrl}/reports`, ...post, ...IN_A_THREAD },
      pids,
      edge: 'gateway',
    },
    { name: `share page, ${name}`, status: 200, request: { url: page, ...IN_A_THREAD }, pids, edge: 'share' },
  ];
}

async function rates(one: Prepared, several: Prepared): Promise<Measured[]> {
  const document = Buffer.from(JSON.stringify(await one.client.report(one.reports[0]!)));
  const bare = await startBareRoute(one.system.postgresUrl, document, READ_REPORTS);
  try {
    const request = { ...spreadOver(bare.origin, bare.paths), ...IN_A_THREAD };
    const [ofOne, ofSeveral] = [scenariosOf(one), scenariosOf(several)];
    return await measureInTurn([
      { name: 'bare Fastify, one indexed read', request, status: 200, pids: { bare: bare.pid }, edge: 'bare' },
      ...ofOne.flatMap((scenario, index) => [scenario, ofSeveral[index]!]),
    ]);
  } finally {
    bare.stop();
  }
}

/** False where several are slower than one, or where a request failed. */
function printed(rows: readonly Measured[], { system: { services } }: Prepared): boolean {
  console.log(`\n${table(rows)}\n`);
  const shares: number[] = [];
  for (let index = 1; index < rows.length; index += 2) {
    const share = rateBeside(rows[index + 1]!, rows[index]!);
    shares.push(share);
    console.log(`${rows[index]!.name.split(',')[0]}: several have ${(100 * share).toFixed(0)} % of the rate of one.`);
  }
  console.log(`Connections by gateway: ${services.connectionsOf('gateway').join(', ')}.`);
  return shares.every((share) => share >= KEPT_MIN) && rows.every(({ failed }) => failed === 0);
}

async function main(): Promise<void> {
  const folder = join(tmpdir(), `tire-replicas-${process.pid}`);
  const started: Prepared[] = [];
  try {
    const one = await preparedSystem('one', folder, ONE);
    started.push(one);
    const several = await preparedSystem('several', folder, SEVERAL, one.samples);
    started.push(several);
    console.log(`\n${(await checkTogether(several.partner)).join('\n')}`);
    if (!printed(await rates(one, several), several)) process.exitCode = 1;
  } finally {
    for (const { system, partner } of started) {
      await partner.callbacks.close();
      await system.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

runBench(main);
