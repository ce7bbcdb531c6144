import type { Content, Report } from '@tire/contracts/api';
import { randomUUID } from 'node:crypto';
import type { Call } from '../api/api';
import { MUTATIONS, READS, type Operation } from '../api/operations';
import { takenOn } from '../api/taken-on';
import { put, registration, settled, targetOf, tread, TREADS, uploaded } from './reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('live');
const discard = (report: string, caller = api) => caller.call('discardReport', { report });

beforeAll(systemReady);

describe('a discarded report', () => {
  const inspection = randomUUID();
  let report: Report;
  let content: Content;
  let discardedAt: string;
  const calls: Partial<Record<Operation, () => Call>> = {
    getContentRevision: () => ({ contentRevision: content.content_revision! }),
    createUploadTargets: () => ({ body: { slots: [tread('front_left')] } }),
    registerImages: () => ({ query: 'replace=true', body: { images: [{ asset_id: randomUUID(), ...tread('front_left') }] } }),
    analyzeSlots: () => ({ body: { slots: [tread('front_left')] } }),
  };

  beforeAll(async () => {
    const body = { template: 'tire_4t_0s', external_inspection_id: inspection };
    report = await settled(api, (await uploaded(api, body, TREADS)).report_id);
    content = (await api.call('getContent', { report: report.report_id })).done;
    const answer = await discard(report.report_id);
    expect([answer.status, Object.keys(answer.done).sort()]).toEqual([200, ['discarded_at', 'report_id']]);
    expect(Math.abs(Date.parse(answer.done.discarded_at) - Date.now())).toBeLessThan(60_000);
    discardedAt = answer.done.discarded_at;
  });

  it('is in no list', async () => {
    const { reports } = (await api.call('listReports', { query: `external_inspection_id=${inspection}` })).done;
    expect(reports).toEqual([]);
  });

  it.each(READS.filter((operation) => !['listReports', 'listenToCallbacks'].includes(operation)))(
    '%s: 404 not_found',
    async (operation) => {
      const answer = await api.call(operation, { report: report.report_id, ...calls[operation]?.() });
      expect(answer.refusal).toEqual([404, 'not_found', null]);
    },
  );

  it.each(MUTATIONS.filter((operation) => operation !== 'discardReport'))('%s: 409 report_discarded', async (operation) => {
    const answer = await api.call(operation, { report: report.report_id, ...calls[operation]?.() });
    expect(answer.refusal).toEqual([409, 'report_discarded', null]);
    expect(answer.error.retryable).toBe(false);
  });

  it('can be discarded again, with the same response and time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => discard(report.report_id)));
    for (const { status, done } of answers) {
      expect([status, done]).toEqual([200, { report_id: report.report_id, discarded_at: discardedAt }]);
    }
  });

  it('has a page without any of its data', async () => {
    const response = await fetch(report.links.share!);
    expect([404, 410]).toContain(response.status);
    expect(await response.text()).not.toMatch(/\d mm/);
  });

  it('keeps its inspection id reserved; a new inspection id creates a new report', async () => {
    const answer = await api.create({ template: 'tire_4t_0s', external_inspection_id: inspection });
    expect(answer.refusal.slice(0, 2)).toEqual([409, 'report_discarded']);
    const anew = (await api.create({ template: 'tire_4t_0s', external_inspection_id: randomUUID() })).done;
    expect(anew.report_id).not.toBe(report.report_id);
  });

  it('is not found by other projects', async () => {
    for (const caller of [apiOf('other'), apiOf('test')]) {
      expect((await discard(report.report_id, caller)).refusal).toEqual([404, 'not_found', null]);
    }
  });
});

describe('discarding', () => {
  it('prevents further registrations for a report that waits for images', async () => {
    const { report_id, targets, share_url } = await uploaded(api, { template: 'tire_4t_0s' }, []);
    const target = targetOf(targets, tread('front_left'));
    expect(await put(target)).toBe(200);
    expect((await discard(report_id)).status).toBe(200);
    const answer = await api.call('registerImages', { report: report_id, body: { images: [registration(target)] } });
    expect(answer.refusal).toEqual([409, 'report_discarded', null]);
    expect([404, 410]).toContain((await fetch(share_url)).status);
  });

  it('during an analysis prevents any later publication of its results', async () => {
    const { report_id, share_url } = await uploaded(api, { template: 'tire_4t_0s' }, TREADS);
    expect((await discard(report_id)).status).toBe(200);
    // A later report is measured later: by then the discarded one would have been published.
    await settled(api, (await uploaded(api, { template: 'tire_4t_0s' }, TREADS)).report_id);
    expect((await api.call('getReport', { report: report_id })).refusal).toEqual([404, 'not_found', null]);
    expect([404, 410]).toContain((await fetch(share_url)).status);
  });

  it('during concurrent reads gives each reader the report or 404', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const { report_id: report } = (await takenOn(() => api.create({ template: 'tire_4t_0s' }))).done;
      const reads = READS.filter((operation) => !['getContentRevision', 'listenToCallbacks'].includes(operation));
      const reading = Array.from({ length: 5 }, () => reads.map((operation) => takenOn(() => api.call(operation, { report })))).flat();
      const [, ...answers] = await Promise.all([takenOn(() => discard(report)), ...reading]);
      return answers.map(({ status }) => status);
    });
    for (const statuses of await Promise.all(rounds)) expect([200, 202, 404]).toEqual(expect.arrayContaining(statuses));
  });

  it('returns the same time to concurrent calls', async () => {
    const { report_id } = (await api.create()).done;
    const answers = await Promise.all(Array.from({ length: 20 }, () => takenOn(() => discard(report_id))));
    const refused = answers.filter(({ status }) => status !== 200).map(({ refusal }) => refusal);
    expect(refused).toEqual([]);
    expect(new Set(answers.map(({ done }) => done.discarded_at)).size).toBe(1);
  });

  it('returns 404 for an unknown report', async () => {
    expect((await discard(randomUUID())).refusal).toEqual([404, 'not_found', null]);
  });
});
