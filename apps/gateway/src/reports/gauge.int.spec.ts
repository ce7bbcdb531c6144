import { CreateReportResponse, Report, type ReportSlot } from '@tire/contracts/api';
import { AuditLog, IssuedApiKey, Project, ReportDetail, TrainingUse } from '@tire/contracts/console';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { startBehind } from '../testing/behind';
import { Browser, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const SLOT = 'tire.tread.front_left';
const IMAGES = POSITIONS.map((position) => ({
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  source: { url: `https://images.example/measured/tread/${position}.jpg` },
}));

describe('gauge values in the console', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;
  let key: string;

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
    [owner, stranger] = ['192.0.2.1', '192.0.2.2'].map((address) => new Browser(gateway.origin, address)) as [Browser, Browser];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
    const issued = await owner.call('POST', `/projects/${projectId}/keys`, { body: { name: 'key', scopes: ['report:*'] } });
    key = IssuedApiKey.parse(issued.json).value;
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const api = (method: string, path: string, body?: unknown) => gateway.call(method, path, { key, body });
  const at = (reportId: string, path = '') => `/projects/${projectId}/reports/${reportId}${path}`;
  const read = async (reportId: string) => Report.parse((await api('GET', `/reports/${reportId}`)).json);
  const ended = (reportId: string, revisionNot: string | null) =>
    eventually(async () => {
      const report = await read(reportId);
      return (
        report.analysis_revision !== null && report.analysis_revision !== revisionNot && report.summary_status === 'complete' && report
      );
    });
  const analysisOf = ({ slots }: Report) => (slots as ReportSlot[]).find(({ slot_id }) => slot_id === SLOT)!.analysis;
  const auditLog = async () =>
    AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json).entries;

  async function measured(): Promise<Report> {
    const { report_id } = CreateReportResponse.parse((await api('POST', '/reports', { template: 'tire_4t_0s', images: IMAGES })).json);
    return ended(report_id, null);
  }

  const enter = (report: Report, values: { groove: number; depth_mm: number | null }[], over: object = {}, by = owner) =>
    by.call('POST', at(report.report_id, '/gauge-values'), {
      body: { slot_id: SLOT, analysis_revision: report.analysis_revision, values, ...over },
    });

  it('decide in the content, with who entered them in the history and the audit log', async () => {
    const before = await measured();
    const { report_id } = before;
    expect((await enter(before, [{ groove: 2, depth_mm: 1.4 }])).json).toEqual({ report_id, analysis_status: 'complete', changed: true });
    const after = await ended(report_id, before.analysis_revision);
    expect(analysisOf(after)).toMatchObject({ provenance: 'engine', gauge: [{ groove: 2, depth_mm: 1.4, measured_mm: 5.3 }] });
    const content = (await api('GET', `/reports/${report_id}/content`)).json as { overall: unknown; tires: object[] };
    expect(content.overall).toMatchObject({ severity: 'critical' });
    expect(content.tires[0]).toMatchObject({ minimum_remaining_depth_mm: 1.4 });
    const { email } = (await owner.refresh()).user;
    const { history } = ReportDetail.parse((await owner.call('GET', at(report_id))).json);
    expect(history.find(({ what }) => what === 'gauge_entered')).toMatchObject({
      slot_id: SLOT,
      at: analysisOf(after).gauge?.[0]?.entered_at,
      by: { kind: 'user', name: email },
    });
    expect((await auditLog())[0]).toMatchObject({
      action: 'report.gauge_set',
      subject: report_id,
      details: { slot: SLOT, values: '2: 1.4' },
    });
    expect((await enter(before, [{ groove: 2, depth_mm: 1.4 }])).json).toMatchObject({ changed: false });
    expect((await enter(after, [{ groove: 2, depth_mm: null }])).json).toMatchObject({ changed: true });
    expect(analysisOf(await ended(report_id, after.analysis_revision))).toEqual(analysisOf(before));
  });

  it.each([
    ['a depth that no tire has', [{ groove: 1, depth_mm: 20.5 }], 'values[0].depth_mm', 'validation_error'],
    ['a negative depth', [{ groove: 1, depth_mm: -0.1 }], 'values[0].depth_mm', 'validation_error'],
    ['no value', [], 'values', 'validation_error'],
    [
      'one groove twice',
      [
        { groove: 1, depth_mm: 4 },
        { groove: 1, depth_mm: 5 },
      ],
      'values',
      'validation_error',
    ],
    ['a groove that was not measured', [{ groove: 4, depth_mm: 4 }], 'values[0].groove', 'validation_error'],
    [
      'an unusual depth',
      [
        { groove: 1, depth_mm: 4 },
        { groove: 2, depth_mm: 9.5 },
      ],
      'values[1].depth_mm',
      'confirmation_required',
    ],
  ])('refuse %s', async (_, values, param, code) => {
    expect((await enter(await measured(), values)).error).toMatchObject({ code, param });
  });

  it('accept an unusual depth that a person confirmed, and refuse one over an older measurement', async () => {
    const before = await measured();
    expect((await enter(before, [{ groove: 1, depth_mm: 0.3 }], { confirm_unusual: true })).status).toBe(200);
    expect((await enter(before, [{ groove: 1, depth_mm: 4 }])).error).toMatchObject({
      code: 'validation_error',
      param: 'analysis_revision',
    });
  });

  it('are entered by no other organization, and by no API key', async () => {
    const report = await measured();
    const values = [{ groove: 1, depth_mm: 4 }];
    expect((await enter(report, values, {}, stranger)).error?.code).toBe('not_found');
    expect((await enter({ ...report, report_id: newId() }, values)).error?.code).toBe('not_found');
    const path = `/reports/${report.report_id}/gauge-values`;
    expect((await api('POST', path, { slot_id: SLOT, analysis_revision: report.analysis_revision, values })).status).toBe(404);
    const { slots, analysis_revision } = await read(report.report_id);
    expect({ slots, analysis_revision }).toEqual({ slots: report.slots, analysis_revision: report.analysis_revision });
  });

  it('train models only after a member with the permission allows it', async () => {
    const path = `/projects/${projectId}/training-use`;
    expect(TrainingUse.parse((await owner.call('GET', path)).json)).toEqual({ is_allowed: false });
    for (const method of ['GET', 'PATCH'] as const) {
      const answer = await stranger.call(method, path, method === 'PATCH' ? { body: { is_allowed: true } } : {});
      expect(answer.error?.code).toBe('not_found');
    }
    expect((await owner.call('PATCH', path, { body: { is_allowed: true } })).json).toEqual({ is_allowed: true });
    expect((await owner.call('GET', path)).json).toEqual({ is_allowed: true });
    expect((await auditLog())[0]).toMatchObject({ action: 'training_use.changed', details: { allowed: 'true' } });
  });
});
