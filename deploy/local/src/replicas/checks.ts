import type { CreateReportResponse, ListenedCallbacks, LoggedRequests, UploadTarget } from '@tire/contracts/api';
import type { CaptureSession } from '@tire/contracts/capture';
import { queryDatabase } from '@tire/test-harness/bench';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PartnerClient, upload } from '../client';
import type { receiveCallbacks } from '../listeners';
import { step } from '../progress';
import type { Sample } from '../samples';

export interface Partner {
  readonly baseUrl: string;
  readonly callbackUrl: string;
  readonly postgresUrl: string;
  readonly keys: Readonly<Record<'test' | 'live', string>>;
  readonly samples: readonly Sample[];
  readonly callbacks: Awaited<ReturnType<typeof receiveCallbacks>>;
}

const AT_ONCE = 100;
const MEASURED = 4;
const LISTENED = 3;
const LOGGED = 40;
const WITHIN_MS = 120_000;

/** Each request has a connection of its own, so that the next one goes to another process. */
const apart: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), connection: 'close' } });
const clientOf = ({ baseUrl }: Partner, key: string): PartnerClient => new PartnerClient({ base_url: baseUrl }, key, apart);

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** What a creation with images begins. Returns before they are measured. */
export async function measuredReport(partner: Partner, key: string): Promise<string> {
  const client = clientOf(partner, key);
  const { report_id: id, upload_targets: targets = [] } = await client.create({
    template: 'tire_4t_0s',
    callback_url: partner.callbackUrl,
  });
  await Promise.all(targets.map((target) => upload(target, partner.samples, apart)));
  await client.json('POST', `/reports/${id}/images`, { images: targets.map(registration) });
  return id;
}

const registration = ({ asset_id, module_type, slot }: UploadTarget) => ({ asset_id, module_type, slot });

/** Repeats a creation that runs in another process, as the specification requires. */
async function created(client: PartnerClient, body: object, headers: Record<string, string>): Promise<string> {
  for (;;) {
    const answer = await client.call('POST', '/reports', body, headers);
    const text = await answer.text();
    if (answer.ok) return text;
    require([409, 429, 503].includes(answer.status), `a creation was answered ${answer.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.random()));
  }
}

async function sameCreation(partner: Partner): Promise<string> {
  const client = clientOf(partner, partner.keys.live);
  const count = async (): Promise<number> => {
    const url = { postgres_url: partner.postgresUrl };
    const [row] = await queryDatabase<{ count: number }>(url, 'tire_ledger', 'SELECT count(*)::int AS count FROM reports');
    return row!.count;
  };
  const before = await count();
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => created(client, { template: 'tire_4t_0s' }, headers)));
  require(new Set(answers).size === 1, `${AT_ONCE} creations with one key got ${new Set(answers).size} answers`);
  const inspection = { external_inspection_id: randomUUID() };
  const ofInspection = await Promise.all(Array.from({ length: AT_ONCE }, () => created(client, inspection, {})));
  const ids = new Set(ofInspection.map((text) => (JSON.parse(text) as CreateReportResponse).report_id));
  require(ids.size === 1, `${AT_ONCE} creations of one inspection made ${ids.size} reports`);
  require((await count()) === before + 2, 'there are more reports than creations');
  return `${AT_ONCE} creations at once with one Idempotency-Key, and ${AT_ONCE} of one inspection: one report each`;
}

/** Live reports are called back once, however many processes send. */
async function measuredOnce(partner: Partner): Promise<string> {
  const ids = await Promise.all(Array.from({ length: MEASURED }, () => measuredReport(partner, partner.keys.live)));
  const reports = await Promise.all(ids.map((id) => clientOf(partner, partner.keys.live).finished(id)));
  const unfinished = reports.filter(({ analysis_status }) => analysis_status !== 'complete');
  require(unfinished.length === 0, `not complete: ${unfinished.map(({ report_id }) => report_id).join(', ')}`);
  for (const id of ids) await partner.callbacks.next(({ body }) => body.includes(id));
  const received = partner.callbacks.received.filter(({ body }) => ids.some((id) => body.includes(id)));
  require(received.length === MEASURED, `${received.length} callbacks of ${MEASURED} reports arrived`);
  return `${MEASURED} reports of four uploaded images: complete, published, called back once each`;
}

/** Reads page after page, each from another process, and waits for more. */
async function followed<Page extends { next_cursor: string }, Item>(
  client: PartnerClient,
  path: string,
  itemsOf: (page: Page) => readonly Item[],
  cursor: string,
  count: number,
): Promise<Item[]> {
  const items: Item[] = [];
  const deadlineMs = Date.now() + WITHIN_MS;
  let after = cursor;
  while (items.length < count) {
    require(Date.now() < deadlineMs, `${path} gave ${items.length} of ${count}`);
    const page = await client.json<Page>('GET', `${path}?wait_s=20&after=${after}`);
    items.push(...itemsOf(page));
    after = page.next_cursor;
  }
  return items;
}

/** Two listeners wait, one at each gateway. Both get every callback, once and in one order. */
async function listened(partner: Partner): Promise<string> {
  const client = clientOf(partner, partner.keys.test);
  const { next_cursor: cursor } = await client.json<ListenedCallbacks>('GET', '/callbacks');
  const completed = ({ callbacks }: ListenedCallbacks) => callbacks.filter(({ type }) => type === 'report.completed');
  const follow = () => followed(client, '/callbacks', completed, cursor, LISTENED);
  const both = Promise.all([follow(), follow()]);
  const ids = await Promise.all(Array.from({ length: LISTENED }, () => measuredReport(partner, partner.keys.test)));
  const [one, other] = (await both).map((callbacks) => callbacks.map(({ report_id }) => report_id));
  require(isDeepStrictEqual(one, other), 'two listeners got other callbacks, or in another order');
  require(isDeepStrictEqual(one!.toSorted(), ids.toSorted()), 'a listener did not get the callback of each report once');
  return `two long polls for callbacks, by changing gateways: ${LISTENED} each, the same, once and in one order`;
}

/** The log of a project has the requests of every gateway. */
async function logged(partner: Partner): Promise<string> {
  const client = clientOf(partner, partner.keys.test);
  const { report_id: id } = await client.create({ template: 'tire_4t_0s' });
  const { next_cursor: cursor } = await client.json<LoggedRequests>('GET', '/requests');
  const reads = await Promise.all(Array.from({ length: LOGGED }, () => client.call('GET', `/reports/${id}`)));
  const sent = reads.map(({ headers }) => headers.get('x-request-id')!);
  const ofReport = ({ requests }: LoggedRequests) => requests.filter(({ path }) => path.endsWith(id)).map(({ request_id }) => request_id);
  const shown = await followed(client, '/requests', ofReport, cursor, LOGGED);
  require(isDeepStrictEqual(shown.toSorted(), sent.toSorted()), 'the log of requests does not have each request once');
  return `${LOGGED} requests by both gateways: each once in the log of requests that a long poll follows`;
}

/** A phone takes the images of a report, each request at another process, until the link ends everywhere. */
async function captured(partner: Partner): Promise<string> {
  const client = clientOf(partner, partner.keys.live);
  const { report_id: id, capture_url: url } = await client.create({ template: 'tire_4t_0s', capture: {} });
  const token = new URL(url!).pathname.slice('/c/'.length);
  const phone = new PartnerClient({ base_url: `${new URL(partner.baseUrl).origin}/capture/api` }, token, apart);
  const slots = (await client.report(id)).slots.map(({ module_type, slot }) => ({ module_type, slot }));
  const { upload_targets: targets } = await phone.json<{ upload_targets: UploadTarget[] }>('POST', '/upload-targets', { slots });
  for (const target of targets) {
    await upload(target, partner.samples, apart);
    await phone.json('POST', '/images', { images: [{ ...registration(target), replaces_asset_id: null }] });
  }
  await phone.json<CaptureSession>('POST', '/finish');
  const report = await client.finished(id);
  require(report.analysis_status === 'complete', `a report of a capture link is ${report.analysis_status}`);
  await client.json('DELETE', `/reports/${id}/capture-link`);
  const refused = await Promise.all(Array.from({ length: 6 }, () => phone.call('POST', '/upload-targets', { slots })));
  require(refused.every(({ status }) => status >= 400 && status < 500), 'a link that was revoked still takes images at a gateway');
  return 'a capture link: four images, each request at another process; complete, and refused by both gateways after it was revoked';
}

/** What a partner sees must not depend on which process answers. Each of these throws where it does. */
export async function checkTogether(partner: Partner): Promise<string[]> {
  const results: string[] = [];
  for (const check of [sameCreation, measuredOnce, listened, logged, captured]) {
    results.push(await step(check.name, () => check(partner)));
  }
  return results;
}
