import { randomUUID } from 'node:crypto';
import type { Api } from '../api/api';
import { importReport } from './old-reports';
import { reportThat, slotOf, tread, uploaded } from './reports';
import { apiOf, systemReady } from '../world';

describe('a report without versioned content, imported by the command', () => {
  const frontLeft = tread('front_left');
  const report = randomUUID();
  let api: Api;

  beforeAll(async () => {
    await systemReady();
    const source = apiOf('live');
    const { report_id } = await uploaded(source, { template: 'tire_4t_0s', plate_number: 'old' }, [frontLeft]);
    const measured = await reportThat(source, report_id, ({ analysis_status }) => analysis_status === 'awaiting_images');
    const old = { ...measured, report_id: report, timestamps: { ...measured.timestamps, created_at: '2024-03-01T01:02:03.000Z' } };
    api = await importReport('live', old);
  });

  it('returns its original data, with measurements marked as imported', async () => {
    const read = await api.report(report);
    expect(read).toMatchObject({ vehicle: { plate_number: 'old' }, timestamps: { created_at: '2024-03-01T01:02:03.000Z' } });
    expect(slotOf(read, frontLeft)).toMatchObject({ status: 'success', analysis: { provenance: 'legacy_projection' } });
  });

  it('has no content, neither at the alias nor at a revision', async () => {
    expect((await api.call('getContent', { report })).refusal).toEqual([409, 'content_unavailable_for_legacy', null]);
    const fixed = await api.call('getContentRevision', { report, contentRevision: randomUUID() });
    expect(fixed.refusal).toEqual([409, 'content_unavailable_for_legacy', null]);
  });

  it('is visible to its project only, and can be discarded', async () => {
    for (const operation of ['getReport', 'getContent', 'discardReport'] as const) {
      expect((await apiOf('live').call(operation, { report })).refusal).toEqual([404, 'not_found', null]);
    }
    expect((await api.call('discardReport', { report })).status).toBe(200);
    expect((await api.call('getContent', { report })).refusal).toEqual([404, 'not_found', null]);
  });
});
