import { CreateReportResponse, Report, type ReportSlot } from '@tire/contracts/api';
import { AuditLog, IssuedApiKey, Project, ReportDetail, SizeGuessList } from '@tire/contracts/console';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { Readable } from 'node:stream';
import { administer } from '../administration/administration';
import { startBehind } from '../testing/behind';
import { Browser, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const SLOT = 'tire.sidewall.front_left';
const SIZE = { section_width: 205, aspect_ratio: 55, rim_diameter: 16 };
const imageOf = (image_type: string) => (position: string) => ({
  module_type: 'tire',
  slot: { position, image_type },
  source: { url: `https://images.example/measured/${image_type}/${position}.jpg` },
});
const IMAGES = [...POSITIONS.map(imageOf('tread')), ...POSITIONS.slice(0, 2).map(imageOf('sidewall'))];

describe('guessed sizes', () => {
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
  const ended = (reportId: string, revisionNot: string | null) =>
    eventually(async () => {
      const report = Report.parse((await api('GET', `/reports/${reportId}`)).json);
      const isNew = report.analysis_revision !== null && report.analysis_revision !== revisionNot;
      return isNew && report.analysis_status === 'complete' && report.summary_status === 'complete' && report;
    });
  const analysisOf = ({ slots }: Report) => (slots as ReportSlot[]).find(({ slot_id }) => slot_id === SLOT)!.analysis;

  /** Two photographs of each sidewall, and none of them was read. */
  async function unreadTwice(): Promise<string> {
    const body = { template: 'tire_4t_2s', images: IMAGES, external_vehicle_id: 'car-1', callback_url: 'https://partner.example/hook' };
    const { report_id: reportId } = CreateReportResponse.parse((await api('POST', '/reports', body)).json);
    const first = await ended(reportId, null);
    await api('POST', `/reports/${reportId}/analyze`, { slots: IMAGES.slice(4).map(({ module_type, slot }) => ({ module_type, slot })) });
    await ended(reportId, first.analysis_revision);
    return reportId;
  }
  const confirm = (reportId: string, size = SIZE, by = owner) =>
    by.call('POST', at(reportId, '/confirmed-sizes'), { body: { slot_id: SLOT, size } });

  it('are in no public answer, and in the console in one place only', async () => {
    const reportId = await unreadTwice();
    const listed = await owner.call('GET', at(reportId, '/size-guesses'));
    expect(SizeGuessList.parse(listed.json).guesses).toEqual([
      { slot_id: SLOT, size: SIZE },
      { slot_id: 'tire.sidewall.front_right', size: SIZE },
    ]);
    const report = await api('GET', `/reports/${reportId}`);
    const { share_url: share } = (await owner.call('GET', at(reportId, '/share'))).json as { share_url: string };
    const answers = [
      report,
      await api('GET', `/reports/${reportId}/content`),
      await api('GET', '/reports'),
      await api('GET', '/vehicles/car-1'),
      await api('GET', `/reports/${reportId}/share`),
      await owner.call('GET', at(reportId)),
      await owner.call('GET', at(reportId, '/content')),
      await owner.call('GET', `/projects/${projectId}/reports`),
      await owner.call('GET', `/projects/${projectId}/deliveries`),
    ];
    expect(share).toContain('https://share.example/r/');
    for (const { status, text } of answers)
      expect([status, /guess|"(section_width|rim_diameter)":|205/.exec(withoutIds(text))]).toEqual([200, null]);
    // What else was read is there.
    expect(report.text).toContain('"brand":"Hankook"');
  });

  it('become a manual value when a person confirms them, with new content and an entry in the audit log', async () => {
    const reportId = await unreadTwice();
    const before = Report.parse((await api('GET', `/reports/${reportId}`)).json);
    expect((await confirm(reportId)).json).toEqual({ report_id: reportId, analysis_status: 'complete', changed: true });
    const after = await ended(reportId, before.analysis_revision);
    expect(analysisOf(after)).toMatchObject({ provenance: 'manual', engine: null, result: { size: SIZE, brand: 'Hankook' } });
    expect((await api('GET', `/reports/${reportId}/content`)).text).toContain('205/55R16');
    expect(SizeGuessList.parse((await owner.call('GET', at(reportId, '/size-guesses'))).json).guesses).toHaveLength(1);
    const { email } = (await owner.refresh()).user;
    const { history } = ReportDetail.parse((await owner.call('GET', at(reportId))).json);
    expect(history.find(({ what }) => what === 'size_confirmed')).toMatchObject({ slot_id: SLOT, by: { kind: 'user', name: email } });
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json);
    expect(entries[0]).toMatchObject({ action: 'report.size_confirmed', subject: reportId, details: { slot: SLOT, size: '205/55R16' } });
    expect((await confirm(reportId)).json).toEqual({ report_id: reportId, analysis_status: 'complete', changed: false });
    const again = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json);
    expect(again.entries).toEqual(entries);
  });

  it('are not confirmed by another size, another organization or an API key', async () => {
    const reportId = await unreadTwice();
    expect((await confirm(reportId, { ...SIZE, aspect_ratio: 60 })).error).toMatchObject({ code: 'validation_error', param: 'size' });
    expect((await confirm(reportId, { ...SIZE, section_width: 999 })).error?.param).toBe('size.section_width');
    for (const [method, path] of [
      ['GET', '/size-guesses'],
      ['POST', '/confirmed-sizes'],
    ] as const) {
      const body = method === 'POST' ? { slot_id: SLOT, size: SIZE } : undefined;
      expect((await stranger.call(method, at(reportId, path), { body })).error?.code).toBe('not_found');
      expect((await owner.call(method, at(newId(), path), { body })).error?.code).toBe('not_found');
      expect((await api(method, `/reports/${reportId}${path}`, body)).status).toBe(404);
    }
    expect(analysisOf(Report.parse((await api('GET', `/reports/${reportId}`)).json))).toMatchObject({
      provenance: 'engine',
      result: { size: null },
    });
  });

  it('are not shown where the operator switched the rule off, and new reports have the rules that he chose', async () => {
    const before = await unreadTwice();
    const rulesetOf = async (reportId: string) => {
      const { generator } = (await api('GET', `/reports/${reportId}/content`)).json as { generator: Record<string, string> };
      return generator['ruleset_version'];
    };
    const guessesOf = async (reportId: string) =>
      SizeGuessList.parse((await owner.call('GET', at(reportId, '/size-guesses'))).json).guesses;
    const set = (rule: string, value: string) =>
      administer(['set-rule', '--rule', rule, '--value', value, '--project', projectId], Readable.from([]), () => gateway.databaseUrl);
    await set('size_guesses', 'off');
    await set('content_rules', '1.1');
    // The page asks at most a second later for nothing. A question that is on a screen can still be answered.
    await eventually(async () => (await guessesOf(before)).length === 0);
    const after = await unreadTwice();
    expect([await rulesetOf(before), await rulesetOf(after)]).toEqual(['2.0', '1.1']);
    expect(await guessesOf(after)).toEqual([]);
    const revision = Report.parse((await api('GET', `/reports/${before}`)).json).analysis_revision;
    expect((await confirm(before)).json).toMatchObject({ changed: true });
    await ended(before, revision);
    expect(await rulesetOf(before)).toBe('2.0');
    await set('size_guesses', 'usual');
    await set('content_rules', 'usual');
    await eventually(async () => (await guessesOf(after)).length === 2);
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json);
    expect(entries.filter(({ action }) => action === 'project.rule_changed')).toHaveLength(4);
  });
});

/** Ids, times, tokens and the port of the gateway may hold any digits. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, '')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    .replaceAll(/\/r\/[\w-]+/g, '')
    .replaceAll(/"(trace_id|etag)":"[^"]*"/g, '');
