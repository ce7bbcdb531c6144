import type { Position } from '@tire/kernel';
import { sampled } from '@tire/test-harness';
import type { Answer } from '../api/api';
import { ImageHost } from '../images/image-host';
import { idsOf, uploadImages, reportThat, settled, sidewall, slotOf, tread, TREADS, uploaded, withBroken, type Listed } from './reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');
const analyze = (report: string, slots?: readonly Listed[]) => api.call('analyzeSlots', { report, body: slots && { slots } });
const content = (report: string, headers?: Record<string, string>) => api.call('getContent', { report, headers });
const canonical = (report: string, contentRevision: string, headers?: Record<string, string>) =>
  api.call('getContentRevision', { report, contentRevision, headers });
const UNREADABLE = { code: 'image_format_unsupported', retryable: false };
const frontLeft = tread('front_left');
const front = [sidewall('front_left'), sidewall('front_right')];
const rear = [sidewall('rear_left'), sidewall('rear_right')];

let host: ImageHost;

beforeAll(async () => {
  await systemReady();
  host = await ImageHost.open();
});
afterAll(() => host.close());

function expectPending(answer: Answer<'getContent'>, report: string): void {
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('etag')]).toEqual([202, '5', null]);
  expect(answer.done).toMatchObject({
    ...{ report_id: report, status: 'pending', content_revision: null, generated_at: null, overall: null, error: null },
    ...{ tires: [], sections: [], links: { canonical: null } },
  });
}

describe('the status of an analysis', () => {
  const nothing: Listed[] = [];
  const threeTreads = TREADS.slice(1);
  it.each([
    ['one of them failed', 'tire_4t_0s', threeTreads, TREADS.slice(0, 1), ['partial', 'unpublished', 'partial']],
    ['all of them failed', 'tire_4t_0s', nothing, TREADS, ['failed', 'unpublished', 'failed']],
    ['one failed and the others empty', 'tire_4t_0s', nothing, TREADS.slice(0, 1), ['failed', 'unpublished', 'failed']],
    ['successes only and others empty', 'tire_4t_0s', TREADS.slice(0, 2), nothing, ['awaiting_images', 'unpublished', 'pending']],
    ['failed sidewalls that are not needed', 'tire_4t_2s', [...TREADS, ...rear], front, ['complete', 'published', 'complete']],
    ['too few sidewalls', 'tire_4t_2s', [...TREADS, rear[0]], [...front, rear[1]], ['partial', 'unpublished', 'partial']],
  ] as [string, string, Listed[], Listed[], string[]][])('%s', async (name, template, good, broken, expected) => {
    const { report_id } = (await api.create({ template, images: withBroken(host, good, broken, encodeURIComponent(name)) })).done;
    const report = await reportThat(api, report_id, ({ analysis_status, publication_status, summary_status }) =>
      [analysis_status, publication_status, summary_status].every((status, index) => status === expected[index]),
    );
    for (const { slot_id, status, analysis } of report.slots) {
      const { error } = analysis;
      if (idsOf(broken).includes(slot_id)) expect([slot_id, status, error]).toEqual([slot_id, 'failed', UNREADABLE]);
      else expect([slot_id, status, error]).toEqual([slot_id, idsOf(good).includes(slot_id) ? 'success' : 'pending', null]);
    }
    const ended = expected[0] !== 'awaiting_images';
    expect([report.analysis_revision !== null, report.timestamps.analysis_completed_at !== null]).toEqual([ended, ended]);
    const shown = { complete: 'ready', awaiting_images: 'pending' }[expected[0]!] ?? 'failed';
    expect((await content(report_id)).done.status).toBe(shown);
  });

  const DIAGONALS: [Position, Position][] = [
    ['front_left', 'rear_right'],
    ['rear_left', 'front_right'],
  ];
  it.each(sampled(DIAGONALS, 2))(
    'tire_4t_2s is complete with the sidewalls %s and %s, of which the second arrives later',
    async (first, second) => {
      const { report_id: report, targets } = await uploaded(api, {}, [...TREADS, sidewall(first)]);
      await reportThat(api, report, ({ analysis_status }) => analysis_status === 'awaiting_images');
      expectPending(await content(report), report);
      await uploadImages(
        api,
        report,
        targets.filter(({ slot }) => slot.image_type === 'sidewall' && slot.position === second),
      );
      const done = await settled(api, report);
      expect(done).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
      expect(done.slots.filter(({ status }) => status === 'success')).toHaveLength(6);
    },
  );
});

describe('analyze', () => {
  it('measures every failed slot, and no other, without a list', async () => {
    const path = '/again/tire.tread.front_left.jpg';
    const images = withBroken(host, TREADS.slice(1), [frontLeft], 'again');
    host.serve(path, { status: 404 });
    const { report_id: report } = (await api.create({ template: 'tire_4t_0s', images })).done;
    const partial = await settled(api, report);
    expect(partial.analysis_status).toBe('partial');
    expect(slotOf(partial, frontLeft).analysis.error).toEqual({ code: 'image_unreachable', retryable: true });
    host.image(frontLeft.slot, path);
    const answer = await analyze(report);
    expect([answer.status, answer.done]).toEqual([
      202,
      { report_id: report, analysis_status: 'processing', slots: ['tire.tread.front_left'] },
    ]);
    const complete = await settled(api, report);
    expect(complete).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
    expect(complete.analysis_revision).not.toBe(partial.analysis_revision);
    for (const slot of TREADS.slice(1)) expect(slotOf(complete, slot)).toEqual(slotOf(partial, slot));
  });

  it.each([
    ['no body', {}],
    ['an empty body', { raw: '' }],
    ['an empty object', { body: {} }],
    ['null for the list', { body: { slots: null } }],
  ])('%s measures every failed slot', async (_, call) => {
    const { report_id: report } = (await api.create({ images: withBroken(host, [], front, 'no-list') })).done;
    await settled(api, report);
    expect((await api.call('analyzeSlots', { report, ...call })).done.slots.sort()).toEqual(idsOf(front).sort());
    expect((await settled(api, report)).analysis_status).toBe('failed');
  });

  it('does nothing if no slot failed', async () => {
    const { report_id: report } = await uploaded(api, { template: 'tire_4t_0s' }, []);
    expect((await analyze(report)).done).toEqual({ report_id: report, analysis_status: 'awaiting_images', slots: [] });
  });

  it('measures a listed slot again that succeeded: a new revision, the old content is readable, the alias waits', async () => {
    const { report_id: report } = await uploaded(api, { template: 'tire_4t_0s' }, TREADS);
    const before = await settled(api, report);
    const old = await content(report);
    const revision = old.done.content_revision!;
    const answer = await analyze(report, [tread('rear_right')]);
    expect([answer.status, answer.done]).toEqual([
      202,
      { report_id: report, analysis_status: 'processing', slots: ['tire.tread.rear_right'] },
    ]);
    expectPending(await content(report, { 'if-none-match': '*' }), report);
    expect((await canonical(report, revision)).text).toBe(old.text);
    const after = await settled(api, report);
    expect(after.analysis_revision).not.toBe(before.analysis_revision);
    expect(slotOf(after, tread('rear_right')).analysis.result).toEqual(slotOf(before, tread('rear_right')).analysis.result);
    const now = await content(report);
    expect(now.done.content_revision).not.toBe(revision);
    expect(now.done.source.analysis_revision).toBe(after.analysis_revision);
    const kept = await canonical(report, revision, { 'if-none-match': 'W/"x"' });
    expect([kept.text, kept.headers.get('etag')]).toEqual([old.text, old.headers.get('etag')]);
  });

  it('skips a pending slot', async () => {
    const path = '/held/tire.tread.front_left.jpg';
    const release = host.hold(path);
    try {
      const images = withBroken(host, [], [frontLeft], 'held');
      host.image(frontLeft.slot, path);
      const { report_id: report } = (await api.create({ template: 'tire_4t_0s', images })).done;
      expect((await analyze(report, [frontLeft])).done).toEqual({ report_id: report, analysis_status: 'processing', slots: [] });
      expect((await analyze(report)).done.slots).toEqual([]);
      release();
      const measured = await reportThat(api, report, ({ analysis_status }) => analysis_status === 'awaiting_images');
      expect(slotOf(measured, frontLeft).status).toBe('success');
    } finally {
      release();
    }
  });

  describe('refuses', () => {
    let report: string;

    beforeAll(async () => {
      const images = withBroken(host, [], [frontLeft], 'refused');
      report = (await api.create({ template: 'tire_4t_0s', images })).done.report_id;
      await settled(api, report);
    });

    it.each([
      ['a slot without an asset', [frontLeft, tread('rear_left')], /^slots\[1\]\.slot\b/],
      ['a slot that the template lacks', [frontLeft, sidewall('front_left')], /^slots\[1\]\.slot\.image_type$/],
      ['an unknown position', [{ module_type: 'tire', slot: { position: 'roof', image_type: 'tread' } }], /^slots\[0\]\.slot\.position$/],
      ['a duplicate slot', [frontLeft, frontLeft], /^slots\[1\]\.slot$/],
      ['an empty list', [], /^slots$/],
      ['no list', 'all', /^slots$/],
    ] as [string, Listed[], RegExp][])('%s: 422, and measures no slot of the request', async (_, slots, param) => {
      const [status, code, where] = (await api.call('analyzeSlots', { report, body: { slots } })).refusal;
      expect([status, code, where]).toEqual([422, 'validation_error', expect.stringMatching(param)]);
      expect((await api.report(report)).analysis_status).toBe('failed');
    });
  });
});
