import type { Report } from '@tire/contracts/api';
import { receiveCallbacks } from '@tire/local-stack';
import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { ImageHost } from '../images/image-host';
import {
  freshTargets,
  uploadImages,
  put,
  registration,
  reportThat,
  settled,
  sidewall,
  slotOf,
  tread,
  TREADS,
  uploaded,
  withBroken,
} from '../reports/reports';
import { imageOf } from '../images/sample-images';
import { stackUnderTest } from '../stack-under-test';
import { placesWith } from './stored-secrets';
import { apiOf, command, systemReady } from '../world';

const api = apiOf('live');
const share = (report: string) => api.call('getShare', { report });
const publish = (report: string) => api.call('publishReport', { report });
const revoke = (report: string) => api.call('revokeShare', { report });
const reissue = (report: string) => api.call('reissueShare', { report });
const complete = async (): Promise<Report> => settled(api, (await uploaded(api, { template: 'tire_4t_0s' }, TREADS)).report_id);

interface Page {
  status: number;
  html: string;
}
const pageAt = async (address: string): Promise<Page> => {
  const response = await fetch(address);
  return { status: response.status, html: await response.text() };
};
/** An open page shows measured depths. Any other page shows no data of the report. */
const isOpen = ({ status, html }: Page): boolean => {
  if (status === 200) return true;
  if (/\d mm/.test(html)) throw new Error(`A page that answers ${status} shows what was measured`);
  return false;
};

beforeAll(systemReady);

describe('automatic publication', () => {
  it('opens the page and updates the share record when the report is complete; a second publication changes nothing', async () => {
    const { report_id: report, share_url, targets } = await uploaded(api, { template: 'tire_4t_0s' }, TREADS.slice(1));
    const waiting = await reportThat(api, report, ({ analysis_status }) => analysis_status === 'awaiting_images');
    expect(waiting.links.share).toBe(share_url);
    expect(isOpen(await pageAt(share_url))).toBe(false);
    const closed = (await share(report)).done;
    expect(closed).toMatchObject({ report_id: report, status: 'closed', share_url, revoked_at: null });
    await uploadImages(
      api,
      report,
      targets.filter(({ slot }) => slot.position === TREADS[0]!.slot.position),
    );
    const { timestamps, links } = await settled(api, report);
    expect(timestamps.published_at).not.toBeNull();
    expect(links.share).toBe(share_url);
    expect(isOpen(await pageAt(share_url))).toBe(true);
    expect((await share(report)).done).toEqual({ ...closed, status: 'active' });
    for (const answer of [await publish(report), await publish(report)]) {
      const published = { report_id: report, publication_status: 'published', share_url, published_at: timestamps.published_at };
      expect([answer.status, answer.done]).toEqual([200, published]);
    }
  });

  it('a page without a report is not found', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00', '../reports']) {
      expect((await pageAt(`${stackUnderTest().share_url}/r/${token}`)).status).toBe(404);
    }
  });
});

describe('while a published report is measured again', () => {
  let host: ImageHost;
  const optional = sidewall('rear_right');
  const path = '/optional/tire.sidewall.rear_right.jpg';

  beforeAll(async () => {
    host = await ImageHost.open();
  });
  afterAll(() => host.close());

  it('the page is closed and the report stays published; afterwards the page opens again automatically', async () => {
    const images = withBroken(host, [...TREADS, sidewall('front_left'), sidewall('rear_left')], [optional], 'optional');
    host.serve(path, { status: 404 });
    const { report_id: report, share_url } = (await api.create({ images })).done;
    const before = await settled(api, report);
    expect(isOpen(await pageAt(share_url))).toBe(true);
    host.image(optional.slot, path);
    const release = host.hold(path);
    try {
      expect((await api.call('analyzeSlots', { report, body: { slots: [optional] } })).done.analysis_status).toBe('processing');
      expect(await api.report(report)).toMatchObject({
        analysis_status: 'processing',
        publication_status: 'published',
        summary_status: 'pending',
      });
      expect(isOpen(await pageAt(share_url))).toBe(false);
      expect((await share(report)).done.status).toBe('closed');
    } finally {
      release();
    }
    const after = await settled(api, report);
    expect(after.analysis_revision).not.toBe(before.analysis_revision);
    expect(slotOf(after, optional).status).toBe('success');
    await eventually(async () => isOpen(await pageAt(share_url)));
    expect((await share(report)).done.status).toBe('active');
  });

  it('it is revoked if the requirements are not met any more, and published again after a good image', async () => {
    const report = await complete();
    const { report_id, links } = report;
    const [bad] = await freshTargets(api, report_id, [tread('rear_left')]);
    await put(bad!, imageOf(sidewall('rear_left').slot));
    void (await api.call('registerImages', { report: report_id, query: 'replace=true', body: { images: [registration(bad!)] } })).done;
    const revoked = await reportThat(api, report_id, ({ publication_status }) => publication_status === 'revoked');
    expect(revoked).toMatchObject({ analysis_status: 'partial', summary_status: 'partial', timestamps: { published_at: null } });
    expect(isOpen(await pageAt(links.share!))).toBe(false);
    expect((await publish(report_id)).refusal).toEqual([409, 'publish_requirements_unmet', null]);
    void (await uploadImages(api, report_id, await freshTargets(api, report_id, [tread('rear_left')]), 'replace=true')).done;
    const again = await settled(api, report_id);
    expect(again).toMatchObject({ analysis_status: 'complete', links: { share: links.share } });
    expect(isOpen(await pageAt(links.share!))).toBe(true);
  });
});

describe('publish', () => {
  it('returns 409 publish_requirements_unmet before the requirements are met', async () => {
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s' }, []);
    const answer = await publish(report_id);
    expect(answer.refusal).toEqual([409, 'publish_requirements_unmet', null]);
    expect(answer.error).toMatchObject({ type: 'invalid_request_error', retryable: false });
    expect((await api.report(report_id)).publication_status).toBe('unpublished');
  });
});

describe('the share link', () => {
  it('never opens again after a revocation, links.share is null, the report stays published; a reissued link opens', async () => {
    const { report_id: report, links, timestamps } = await complete();
    const old = links.share!;
    const created = (await share(report)).done;

    const revoked = await revoke(report);
    expect([revoked.status, revoked.done]).toEqual([
      200,
      { ...created, status: 'revoked', share_url: null, revoked_at: expect.any(String) as string },
    ]);
    const unlinked = await api.report(report);
    expect(unlinked).toMatchObject({
      publication_status: 'published',
      links: { share: null },
      timestamps: { published_at: timestamps.published_at },
    });
    expect(isOpen(await pageAt(old))).toBe(false);
    expect((await share(report)).done).toEqual(revoked.done);
    expect((await revoke(report)).done).toEqual(revoked.done);
    expect((await publish(report)).done).toMatchObject({ publication_status: 'published', share_url: null });

    const second = await reissue(report);
    expect(second.status).toBe(201);
    expect(second.done).toMatchObject({ report_id: report, status: 'active', revoked_at: null });
    expect(second.done.share_url).not.toBe(old);
    expect((await api.report(report)).links.share).toBe(second.done.share_url);
    expect([isOpen(await pageAt(second.done.share_url!)), isOpen(await pageAt(old))]).toEqual([true, false]);

    const third = (await reissue(report)).done;
    expect(new Set([old, second.done.share_url, third.share_url]).size).toBe(3);
    const open = await Promise.all([old, second.done.share_url!, third.share_url!].map(async (address) => isOpen(await pageAt(address))));
    expect(open).toEqual([false, false, true]);
    expect((await share(report)).done).toEqual(third);
  });

  it('can be revoked before publication, and stays revoked when the report is published', async () => {
    const { report_id: report, targets, share_url } = await uploaded(api, { template: 'tire_4t_0s' }, []);
    expect((await revoke(report)).done).toMatchObject({ status: 'revoked', share_url: null });
    await uploadImages(api, report, targets);
    expect((await settled(api, report)).links.share).toBeNull();
    expect(isOpen(await pageAt(share_url))).toBe(false);
    const { share_url: anew } = (await reissue(report)).done;
    expect(isOpen(await pageAt(anew!))).toBe(true);
  });

  it('is closed if reissued before publication, and opens when the report is published', async () => {
    const { report_id: report, targets, share_url } = await uploaded(api, { template: 'tire_4t_0s' }, []);
    const anew = (await reissue(report)).done;
    expect(anew).toMatchObject({ status: 'closed', revoked_at: null });
    expect((await api.report(report)).links.share).toBe(anew.share_url);
    await uploadImages(api, report, targets);
    await settled(api, report);
    expect([isOpen(await pageAt(anew.share_url!)), isOpen(await pageAt(share_url))]).toEqual([true, false]);
  });
});

describe('the callback report.completed', () => {
  let completed: Report;

  it('is signed, and sent once for each completed revision', async () => {
    const stack = stackUnderTest();
    const callbacks = await receiveCallbacks(stack);
    try {
      const external = { external_inspection_id: randomUUID(), external_vehicle_id: 'v' };
      const body = { template: 'tire_4t_0s', callback_url: `${stack.callback_origin}/hook?a=1`, ...external };
      const { report_id: report } = await uploaded(api, body, TREADS, { 'idempotency-key': randomUUID() });
      const revisions: string[] = [];
      for (const round of [1, 2]) {
        if (round === 2) void (await api.call('analyzeSlots', { report, body: { slots: [TREADS[0]] } })).done;
        const done = await settled(api, report);
        revisions.push(done.analysis_revision!);
        completed = done;
        const { path, headers, body: text } = await callbacks.next((callback) => callback.body.includes(done.analysis_revision!));
        expect(path).toBe('/hook?a=1');
        expect(new Webhook(stack.webhook_secret).verify(text, headers as Record<string, string>)).toEqual({
          type: 'report.completed',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
          data: {
            report_id: report,
            analysis_status: 'complete',
            analysis_revision: done.analysis_revision,
            ...external,
            links: done.links,
          },
        });
      }
      // Reports of other tests have callbacks too. A call whose answer comes late is repeated with its id.
      const own = callbacks.received.filter(({ body: text }) => text.includes(report));
      const revisionsById = new Map(
        own.map(({ headers, body: text }) => [
          headers['webhook-id'],
          (JSON.parse(text) as { data: { analysis_revision: string } }).data.analysis_revision,
        ]),
      );
      expect([...revisionsById.values()]).toEqual(revisions);
    } finally {
      await callbacks.close();
    }
  });

  it('its links and secrets stand in no database, stream or log in the clear, also after a reissue and a rotation', async () => {
    const stack = stackUnderTest();
    const { report_id: report, links } = completed;
    const again = (await reissue(report)).done.share_url!;
    await eventually(async () => (await api.report(report)).links.share === again);
    expect(isOpen(await pageAt(again))).toBe(true);
    const projectId = await projectOf(report);
    const rotate = (...more: string[]) => command('share', ['rotate-webhook-secret', '--project', projectId, ...more]);
    const { secret } = await rotate();
    const tokens = [links.share!, again].map((address) => address.slice(address.lastIndexOf('/') + 1));
    // The search finds a value that tables, streams and logs contain. So it would find a token, too.
    const inTables = ['/tire_share public.callbacks', '/tire_ledger public.reports'];
    const inStreams = ['FACTS_REPORTS', 'FACTS_SHARE'].map((stream) => expect.stringMatching(`/nats/.*/${stream}/`) as string);
    const logged = ['ledger', 'share', 'content'].map((service) => expect.stringMatching(`/logs/${service}\\.log$`) as string);
    expect(await placesWith([report])).toEqual(expect.arrayContaining([...inTables, ...inStreams]));
    expect(await placesWith(['Connected to NATS'])).toEqual(expect.arrayContaining(logged));
    expect(await placesWith([...tokens, secret!, stack.webhook_secret])).toEqual([]);
    // Other suites verify with the secret of the stack.
    await rotate('--secret', stack.webhook_secret);
  });
});

async function projectOf(report: string): Promise<string> {
  const url = Object.assign(new URL(stackUnderTest().postgres_url), { pathname: '/tire_ledger' });
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT project_id AS id FROM reports WHERE report_id = $1', [report]);
    return rows[0]!.id;
  } finally {
    await client.end();
  }
}
