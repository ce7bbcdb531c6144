import type { Content, Report } from '@tire/contracts/api';
import { ImageHost } from '../images/image-host';
import { settled, tread, TREADS, uploaded, withBroken } from './reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');
const content = (report: string, headers?: Record<string, string>) => api.call('getContent', { report, headers });
const canonical = (report: string, contentRevision: string, headers?: Record<string, string>) =>
  api.call('getContentRevision', { report, contentRevision, headers });

beforeAll(systemReady);

describe('content', () => {
  let report: Report;
  let etag: string;
  let ready: Content;

  beforeAll(async () => {
    const created = await uploaded(api, { template: 'tire_4t_0s' }, TREADS);
    report = await settled(api, created.report_id);
    const answer = await content(report.report_id);
    etag = answer.headers.get('etag')!;
    ready = answer.done;
  });

  it('returns 200 for ready content, with a weak ETag, the address of the revision and private caching', async () => {
    const { headers, status } = await content(report.report_id);
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^W\/"[^"]+"$/)]);
    const address = `${report.links.content}/${ready.content_revision}`;
    expect([headers.get('content-location'), ready.links]).toEqual([
      address,
      { self: report.links.content, canonical: address, report: report.links.self },
    ]);
    expect(headers.get('cache-control')).toMatch(/\bprivate\b/);
    expect(ready).toMatchObject({
      ...{ status: 'ready', error: null, generated_at: report.timestamps.analysis_completed_at },
      source: { report_schema_version: 'report.v1', analysis_revision: report.analysis_revision },
    });
    expect([ready.tires.length, ready.sections.length, ready.render_data.sidewall_specs]).toEqual([4, 4, []]);
  });

  it('returns the same JSON and ETag at the address of the revision', async () => {
    const fixed = await canonical(report.report_id, ready.content_revision!);
    expect([fixed.status, fixed.text]).toEqual([200, (await content(report.report_id)).text]);
    expect(fixed.headers.get('etag')).toBe(etag);
    expect((await canonical(report.report_id, report.report_id)).refusal).toEqual([404, 'not_found', null]);
  });

  it.each([
    ['the same', (tag: string) => tag, 304],
    ['the same, strong', (tag: string) => tag.replace('W/', ''), 304],
    ['any', () => '*', 304],
    ['a list that contains it', (tag: string) => `"x", ${tag} , W/"y"`, 304],
    ['another', () => 'W/"x"', 200],
    ['a part of it', (tag: string) => `${tag.slice(0, -2)}"`, 200],
    ['without quotes', (tag: string) => tag.replace(/W\/|"/g, ''), 200],
    ['a list without it', () => '"x", W/"y"', 200],
  ] as const)('If-None-Match: %s', async (_, header, status) => {
    const headers = { 'if-none-match': header(etag) };
    for (const answer of [await content(report.report_id, headers), await canonical(report.report_id, ready.content_revision!, headers)]) {
      expect([answer.status, answer.headers.get('etag')]).toEqual([status, etag]);
      if (status === 304) expect(answer.text).toBe('');
    }
  });

  it('returns 200 for failed content, with the reason and without an ETag', async () => {
    const host = await ImageHost.open();
    const images = withBroken(host, [], [tread('rear_left')], 'content');
    const { report_id } = (await api.create({ template: 'tire_4t_0s', images })).done;
    await settled(api, report_id).finally(() => host.close());
    const answer = await content(report_id, { 'if-none-match': '*' });
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-location')]).toEqual([200, null, null]);
    expect(answer.done).toMatchObject({
      ...{ status: 'failed', content_revision: null, generated_at: null, overall: null, tires: [], sections: [] },
      ...{ links: { canonical: null }, error: { code: 'content_source_incomplete' } },
    });
  });
});
