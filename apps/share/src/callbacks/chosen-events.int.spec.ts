import { CaptureFinished, ContentReady, ReportFailed, ReportPartial, ShareRevoked } from '@tire/contracts/api';
import { CHOSEN_EVENTS } from '@tire/contracts/limits';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Webhook } from 'standardwebhooks';
import { ShareController } from '../publication/share.controller';
import {
  analysisEnded,
  contentIncomplete,
  contentReady,
  discardOf,
  type EndedReport,
  type RunningShare,
  secretsOf,
  startOwnShare,
} from '../testing/service.fixture';

describe('the events that a project chooses', () => {
  let share: RunningShare;
  let shares: ShareController;

  beforeAll(async () => {
    share = await startOwnShare();
    shares = share.app.get(ShareController);
  });
  afterAll(() => share?.close());

  const chosenBy = async (projectId: string, events: readonly string[] = CHOSEN_EVENTS) => {
    await shares.chooseEvents({ projectId, events: [...events] });
    return projectId;
  };
  const reportOf = (projectId: string, path: string): EndedReport =>
    analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}`, externalVehicleId: 'car-1' });
  const typesOf = async ({ reportId }: EndedReport) => {
    const { rows } = await share.owner.query<{ type: string }>('SELECT type FROM callbacks WHERE report_id = $1 ORDER BY type', [reportId]);
    return rows.map(({ type }) => type);
  };
  const incomplete = (report: EndedReport, analysisStatus: string, analysisRevision = newId()) => ({
    ...contentIncomplete(report),
    analysisStatus,
    analysisRevision,
  });
  const changed = (report: EndedReport, count: number) =>
    eventually(() => share.changes(report.reportId).length >= count, { message: `Fewer than ${count} changes of the publication` });

  /** Waits for each message, so that what is not queued by then is never queued. */
  async function lived(report: EndedReport) {
    await share.analysisEnded(report);
    await changed(report, 1);
    await share.contentGenerated(incomplete(report, 'failed'));
    await changed(report, 2);
    await share.contentGenerated(incomplete(report, 'partial'));
    await changed(report, 3);
    const ready = contentReady(report);
    await share.contentGenerated(ready);
    await changed(report, 4);
    share.peers.reports.set(report.reportId, { ...share.peers.reports.get(report.reportId)!, contentRevision: ready.contentRevision });
    const named = { projectId: report.projectId, reportId: report.reportId };
    await shares.revokeShare(named);
    await shares.revokeShare(named);
    await shares.reissueShare(named);
    return ready;
  }

  it('are none at first: a report sends report.completed only', async () => {
    const projectId = newId();
    expect(await shares.getChosenEvents({ projectId })).toEqual({ events: [] });
    await chosenBy(newId());
    const report = reportOf(projectId, '/by-default');
    await lived(report);
    expect(await typesOf(report)).toEqual(['report.completed']);
  });

  it('are sent once each, signed, with their own bodies', async () => {
    const projectId = await chosenBy(newId());
    await shares.rotateWebhookSecret({ projectId, overlapHours: 0 });
    const [secret] = await secretsOf(share.owner, projectId);
    const report = reportOf(projectId, '/chosen');
    const ready = await lived(report);
    expect(await typesOf(report)).toEqual(['content.ready', 'report.completed', 'report.failed', 'report.partial', 'share.revoked']);
    await share.contentGenerated(ready);
    await share.contentGenerated(incomplete(report, 'partial', ready.analysisRevision));
    const calls = await eventually(() => share.receiver.callsTo('/chosen').length >= 5 && share.receiver.callsTo('/chosen'));
    for (const { body, headers } of calls) new Webhook(secret!).verify(body, headers as Record<string, string>);
    const bodyOf = (type: string): unknown => JSON.parse(calls.find(({ body }) => body.includes(`"type":"${type}"`))!.body);
    const self = `https://api.example.com/api/v1/reports/${report.reportId}`;
    const links = { self, content: `${self}/content`, share: `https://share.example.com/r/${report.shareToken}` };
    const about = { report_id: report.reportId, external_inspection_id: null, external_vehicle_id: 'car-1' };
    for (const [schema, type, status] of [
      [ReportFailed, 'report.failed', 'failed'],
      [ReportPartial, 'report.partial', 'partial'],
    ] as const)
      expect(schema.strict().parse(bodyOf(type)).data).toEqual({
        ...about,
        links,
        analysis_status: status,
        analysis_revision: expect.any(String),
      });
    const { analysisRevision: analysis_revision, contentRevision: content_revision } = ready;
    const canonical = `${self}/content/${content_revision}`;
    expect(ContentReady.strict().parse(bodyOf('content.ready')).data).toEqual({
      ...about,
      analysis_revision,
      content_revision,
      links: { ...links, canonical },
    });
    expect(ShareRevoked.strict().parse(bodyOf('share.revoked')).data).toEqual({ ...about, links: { ...links, share: null } });
    expect(await typesOf(report)).toHaveLength(5);
    expect(share.receiver.callsTo('/chosen')).toHaveLength(5);
  });

  it('apply from the choice on, one by one, and can be taken back', async () => {
    const projectId = await chosenBy(newId(), ['content.ready', 'content.ready', 'report.failed']);
    expect(await shares.getChosenEvents({ projectId })).toEqual({ events: ['report.failed', 'content.ready'] });
    const report = reportOf(projectId, '/some');
    await lived(report);
    expect(await typesOf(report)).toEqual(['content.ready', 'report.completed', 'report.failed']);
    await chosenBy(projectId, []);
    const later = reportOf(projectId, '/none');
    await lived(later);
    expect(await typesOf(later)).toEqual(['report.completed']);
  });

  it('tell once that all photographs are taken, before anything was measured', async () => {
    const report = reportOf(await chosenBy(newId(), ['capture.finished']), '/captured');
    const [first, second] = ['2026-11-25T09:00:00.000Z', '2026-11-25T10:00:00.000Z'];
    for (const finishedAt of [first, first, second]) await share.captureFinished(report, finishedAt);
    const calls = await eventually(() => share.receiver.callsTo('/captured').length >= 2 && share.receiver.callsTo('/captured'));
    const told = calls.map(({ body }) => CaptureFinished.strict().parse(JSON.parse(body)).data);
    expect(told.map(({ finished_at }) => finished_at).sort()).toEqual([first, second]);
    const links = { share: `https://share.example.com/r/${report.shareToken}` };
    expect(told[0]).toMatchObject({ report_id: report.reportId, external_vehicle_id: 'car-1', links });
    await lived(report);
    expect(await typesOf(report)).toEqual(['capture.finished', 'capture.finished', 'report.completed']);
  });

  it('do not tell of photographs if the project did not choose it', async () => {
    const report = reportOf(newId(), '/not-captured');
    await share.captureFinished(report, '2026-11-25T09:00:00.000Z');
    await lived(report);
    expect(await typesOf(report)).toEqual(['report.completed']);
  });

  it('include what was held until its report was registered', async () => {
    const report = reportOf(await chosenBy(newId()), '/held');
    await share.contentGenerated(incomplete(report, 'partial'));
    await eventually(async () => {
      const { rows } = await share.owner.query<{ status: string }>('SELECT status FROM publications WHERE report_id = $1', [
        report.reportId,
      ]);
      return rows[0]?.status === 'held';
    });
    await share.analysisEnded(report);
    await changed(report, 1);
    expect(await typesOf(report)).toEqual(['report.partial']);
  });

  it('send nothing without a callback_url, and nothing when a report is discarded', async () => {
    const projectId = await chosenBy(newId());
    const silent = analysisEnded({ projectId });
    await lived(silent);
    expect(await typesOf(silent)).toEqual([]);
    const report = reportOf(projectId, '/discarded');
    await share.analysisEnded(report);
    await changed(report, 1);
    await shares.discardReport(discardOf(report));
    expect(await typesOf(report)).toEqual([]);
  });

  it.each([[['report.completed']], [['report.partial', 'x']]])('refuse the choice %j', async (events) => {
    const projectId = newId();
    await expect(shares.chooseEvents({ projectId, events })).rejects.toMatchObject({ code: 'validation_error', param: 'events' });
    expect(await shares.getChosenEvents({ projectId })).toEqual({ events: [] });
  });
});
