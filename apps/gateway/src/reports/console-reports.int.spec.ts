/* oxlint-disable max-lines -- one suite, so that its services start once */
import { CreateReportResponse } from '@tire/contracts/api';
import {
  AuditLog,
  CreatorList,
  Branch,
  BranchList,
  DeliveryList,
  MarkedReports,
  Project,
  ReportPrices,
  ReportDetail,
  ReportList,
  RotatedWebhookSecret,
  ShareLinks,
  Usage,
  CreatedVehicleLink,
  VehicleHistory,
  VehicleLink,
  VehicleLinkList,
  VehicleList,
  VehiclePassport,
  WebhookSecretState,
} from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization } from '../testing/browser';
import { EXTREME_NUMBERS, extremeQueries } from '../testing/extreme-values';
import { startGateway } from '../testing/gateway';
import { Client } from 'pg';

const SIZE = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const tires = (depthsMm = [5, 4.8, 5.2], size: typeof SIZE | null = SIZE) =>
  POSITIONS.map((position) => ({ position, groove_depths_mm: depthsMm, size }));

const PARTNER_CALLS = [
  ['GET', '/partner'],
  ['PATCH', '/partner', { name: 'Mine', phone: null }],
  ['POST', '/partner/logo', { image: 'AA==' }],
  ['DELETE', '/partner/logo'],
] as const;

const CONSENTS = { version: '2026-11', language: 'ko' };
/** What members do with the customer of a report. */
const OF_CUSTOMER = [
  ['GET', '/visit'],
  ['PATCH', '/visit', { name: '김민수' }],
  ['POST', '/visit/show'],
  ['DELETE', '/visit'],
  ['GET', '/messages'],
  ['POST', '/messages', { language: 'ko' }],
  ['GET', '/reminders'],
  ['POST', '/reminders', { reason: 'six_months', channel: 'email', consent: CONSENTS }],
  ['DELETE', `/reminders/${newId()}`],
] as const;
const GAUGE = { slot_id: 'tire.tread.front_left', analysis_revision: newId(), values: [{ groove: 1, depth_mm: 5 }] };

/** Ledger, content and share as they run in production, each with its database. */
describe('reports in the console', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let support: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
    [owner, support, stranger] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => new Browser(gateway.origin, address)) as [
      Browser,
      Browser,
      Browser,
    ];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const at = (path: string) => `/projects/${projectId}${path}`;
  const manual = (body: object, by = owner, headers = {}) => by.call('POST', at('/manual-reports'), { body, headers });
  const detail = async (reportId: string) => ReportDetail.parse((await owner.call('GET', at(`/reports/${reportId}`))).json);
  /** The ledger learns of content and of publication by two messages, in either order. */
  const published = (reportId: string) =>
    eventually(async () => {
      const found = await detail(reportId);
      return found.report.publication_status === 'published' && found.report.summary_status === 'complete' && found;
    });
  const created = (reply: { json: unknown }) => CreateReportResponse.parse(reply.json).report_id;

  it('extreme values in queries and bodies are accepted or refused, and never a fault of the service', async () => {
    const own = new Browser(gateway.origin, '192.0.2.9');
    const made = await newOrganization(gateway.databaseUrl);
    await own.signIn(made.email);
    const project = await own.call('POST', `/organizations/${made.organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    const second = new Browser(gateway.origin, '192.0.2.10');
    await invited(own, second, made.organizationId, 'administrator', `${newId()}@shop.example`);
    // There are more requests than the rate of one user allows on a fast machine.
    let turns = 0;
    const next = (): Browser => ((turns += 1) % 2 === 0 ? own : second);
    const ids = { organization_id: made.organizationId, project_id: Project.parse(project.json).project_id };
    const queries = extremeQueries(ids);
    expect(queries.length).toBeGreaterThan(100);
    const faults: string[] = [];
    // A busy machine may refuse a request once with 503. A fault does so again.
    const note = async (what: string, send: () => Promise<{ status: number }>) => {
      let { status } = await send();
      if (status === 503) ({ status } = await send());
      if (status >= 500 || status === 429) faults.push(`${status} for ${what}`);
    };
    for (const { method, path } of queries) await note(path, () => next().call(method, path));
    const extremeTires = EXTREME_NUMBERS.flatMap((number) => [tires([number]), tires([5], { ...SIZE, section_width: number })]);
    for (const body of extremeTires)
      await note(JSON.stringify(body[0]), () =>
        next().call('POST', `/projects/${ids.project_id}/manual-reports`, { body: { tires: body } }),
      );
    expect(faults).toEqual([]);
  });

  it('the partner of the share pages is changed by administrators and stands in the audit log', async () => {
    const partner = { name: '한빛 타이어', phone: '02-123-4567', address: '세종대로 1', opening_hours: '평일\n토요일' };
    expect((await owner.call('PATCH', at('/partner'), { body: partner })).json).toEqual({ ...partner, logo: null });
    expect((await owner.call('GET', at('/partner'))).json).toEqual({ ...partner, logo: null });
    expect((await owner.call('PATCH', at('/partner'), { body: { name: 'x'.repeat(61), phone: null } })).error?.param).toBe('name');
    const tooLong = { ...partner, address: 'x'.repeat(121) };
    expect((await owner.call('PATCH', at('/partner'), { body: tooLong })).error?.param).toBe('address');
    expect((await owner.call('PATCH', at('/partner'), { body: { name: null, phone: 'ring' } })).error?.param).toBe('phone');
    for (const [method, path, body] of PARTNER_CALLS) expect((await support.call(method, at(path), { body })).status).toBe(403);
    // Assets, which decodes the image, does not run here. What matters is that a body of this size arrives.
    const image = Buffer.alloc(512 * 1024).toString('base64');
    expect((await owner.call('POST', at('/partner/logo'), { body: { image } })).status).toBe(503);
    expect((await owner.call('POST', at('/partner/logo'), { body: { image: `${image}AAAA` } })).error?.param).toBe('image');
    expect((await owner.call('POST', at('/partner/logo'), { body: { image: image + image } })).status).toBe(413);
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`)).json);
    const changes = entries.filter(({ action }) => action.startsWith('partner.'));
    expect(changes.map(({ action, details }) => [action, details])).toEqual([['partner.changed', partner]]);
  });

  it('a manual report gets content, a share page and a history', async () => {
    const reply = await manual({ tires: tires(), plate_number: '12가 3456', external_vehicle_id: 'car-1' }, support);
    expect(reply.status).toBe(201);
    const { report, history, trace_id } = await published(created(reply));
    expect(report).toMatchObject({
      creation: { source_channel: 'atrace_console', mode: 'manual' },
      analysis_status: 'complete',
      summary_status: 'complete',
      template: { key: 'tire_4t_4s' },
    });
    expect(new Set(report.slots.map(({ analysis }) => analysis.provenance))).toEqual(new Set(['manual']));
    const { email } = (await support.refresh()).user;
    const happened = history.map(({ what, by }) => [what, by]);
    expect(happened.slice(0, 2)).toEqual([
      ['created', { kind: 'user', name: email }],
      ['analysis_ended', { kind: 'user', name: email }],
    ]);
    expect(happened.slice(2).toSorted()).toEqual([
      ['content_ready', { kind: 'service', name: 'content' }],
      ['published', { kind: 'service', name: 'share' }],
    ]);
    expect([trace_id, history[1]?.trace_id]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), trace_id]);
    const content = await owner.call('GET', at(`/reports/${report.report_id}/content`));
    expect(content.json).toMatchObject({ status: 'ready', overall: { severity: 'good' } });
    expect((content.json as { sections: { key: string }[] }).sections.map((section) => section.key)).not.toContain('wear_pattern');
    const share = await support.call('GET', at(`/reports/${report.report_id}/share`));
    expect(share.json).toMatchObject({ status: 'active', share_url: CreateReportResponse.parse(reply.json).share_url });
  });

  it.each([
    ['deeper than any tire', { tires: tires([25, 5]) }, 'tires[0].groove_depths_mm[0]'],
    ['a negative depth', { tires: tires([-1]) }, 'tires[0].groove_depths_mm[0]'],
    ['no groove', { tires: tires([]) }, 'tires[0].groove_depths_mm'],
    ['an impossible tire size', { tires: tires([5], { ...SIZE, section_width: 999 }) }, 'tires[0].size.section_width'],
    ['three tires', { tires: tires().slice(1) }, 'tires'],
    ['a tire twice', { tires: tires().map((tire) => ({ ...tire, position: 'front_left' })) }, 'tires'],
    ['text for a number', { tires: tires(['5'] as unknown as number[]) }, 'tires[0].groove_depths_mm[0]'],
  ])('a manual report is refused with %s', async (_, body, param) => {
    expect((await manual(body)).error).toMatchObject({ code: 'validation_error', param });
  });

  it('unusual values need a confirmation', async () => {
    const body = { tires: tires([0.3, 5]) };
    expect((await manual(body)).error).toMatchObject({ code: 'confirmation_required', param: 'tires[0].groove_depths_mm[0]' });
    expect((await manual({ ...body, confirm_unusual: true })).status).toBe(201);
  });

  it('a form that is sent again creates no second report, and other values give a conflict', async () => {
    const headers = { 'idempotency-key': newId() };
    const body = { tires: tires([5], null), plate_number: '99하 1234' };
    const [first, again] = [await manual(body, owner, headers), await manual({ ...body, confirm_unusual: true }, owner, headers)];
    expect([again.status, created(again)]).toEqual([201, created(first)]);
    const other = { ...body, tires: tires([4], null) };
    expect((await manual(other, owner, headers)).error).toMatchObject({ code: 'idempotency_conflict', param: null });
    const automatic = { body: { plate_number: '99하 1234', template: 'tire_4t_0s' }, headers };
    expect((await owner.call('POST', at('/reports'), automatic)).error?.code).toBe('idempotency_conflict');
    expect((await manual(body, owner, { 'idempotency-key': 'x'.repeat(256) })).error?.param).toBe('Idempotency-Key');
  });

  it('are found by search and filters, page by page', async () => {
    const first = created(await manual({ tires: tires([5], null), plate_number: '34나 7788', external_inspection_id: 'visit-9' }));
    const second = created(await manual({ tires: tires([6], null), plate_number: '56다7788' }));
    const search = async (text: string) =>
      ReportList.parse((await owner.call('GET', at(`/reports?search=${encodeURIComponent(text)}`))).json).reports.map(
        ({ report_id }) => report_id,
      );
    expect(await search('7788')).toEqual([second, first]);
    for (const text of ['34나7788', 'visit-9', first]) expect(await search(text)).toEqual([first]);
    const page = ReportList.parse((await owner.call('GET', at('/reports?limit=1'))).json);
    expect([page.reports.map(({ report_id }) => report_id), page.reports[0]?.creation.mode]).toEqual([[second], 'manual']);
    const next = ReportList.parse((await owner.call('GET', at(`/reports?limit=1&cursor=${page.next_cursor}`))).json);
    expect(next.reports.map(({ report_id }) => report_id)).toEqual([first]);
    const filtered = async (query: string) =>
      ReportList.parse((await owner.call('GET', at(`/reports?search=7788&${query}`))).json).reports.map(({ report_id }) => report_id);
    const since = page.reports[0]!.created_at;
    for (const [query, found] of [
      ['analysis_status=complete&mode=manual', [second, first]],
      ['analysis_status=failed', []],
      ['mode=automatic', []],
      [`created_from=${since}`, [second]],
      [`created_before=${since}`, [first]],
    ] as const)
      expect([query, await filtered(query)]).toEqual([query, found]);
    const refused = ['analysis_status=none', 'mode=', 'created_from=2026-01-01', 'created_before=x', 'mode=manual&mode=manual'];
    for (const query of ['limit=0', 'cursor=x', `search=${'x'.repeat(129)}`, 'search=a&search=b', ...refused])
      expect([query, (await owner.call('GET', at(`/reports?${query}`))).error?.code]).toEqual([query, 'validation_error']);
  });

  it('are a worklist: by urgency, by person, to do and handled, with an outcome for each of several', async () => {
    const other = new Browser(gateway.origin, '192.0.2.11');
    const made = await newOrganization(gateway.databaseUrl);
    await other.signIn(made.email);
    const own = await other.call('POST', `/organizations/${made.organizationId}/projects`, { body: { name: 'Shop', mode: 'live' } });
    const path = `/projects/${Project.parse(own.json).project_id}`;
    const add = async (depthMm: number) =>
      created(
        await other.call('POST', `${path}/manual-reports`, { body: { tires: tires([depthMm], null), plate_number: `1가${depthMm}` } }),
      );
    const [good, worst, caution] = [await add(6), await add(1.5), await add(2.7)];
    const list = async (query: string) => ReportList.parse((await other.call('GET', `${path}/reports?${query}`)).json).reports;
    const ids = async (query: string) => (await list(query)).map(({ report_id }) => report_id);
    await eventually(
      async () => (await ids('urgency=good')).length + (await ids('urgency=critical')).length + (await ids('urgency=caution')).length === 3,
    );
    expect(await ids('order=urgency')).toEqual([worst, caution, good]);
    const [{ work, created_by }] = (await list('urgency=critical')) as [ReportList['reports'][number]];
    expect([work, created_by]).toEqual([
      { standing: 'critical', attention: 'unread', handled: null, result: expect.stringMatching(/^critical\//) },
      { kind: 'user', name: made.email },
    ]);
    const { creators } = CreatorList.parse((await other.call('GET', `${path}/report-creators`)).json);
    expect(creators).toEqual([{ actor: expect.stringMatching(/^user:/), kind: 'user', name: made.email }]);
    expect(await ids(`created_by=${creators[0]!.actor}&order=urgency`)).toEqual([worst, caution, good]);
    expect(await ids(`created_by=user:${newId()}`)).toEqual([]);

    const foreign = created(await manual({ tires: tires([5], null) }));
    const mark = (mark: string, report_ids: readonly string[], by = other, seen_results?: readonly string[]) =>
      by.call('POST', `${path}/report-marks`, { body: { mark, report_ids, seen_results } });
    const outcomes = (reply: { json: unknown }) => MarkedReports.parse(reply.json).reports.map(({ outcome }) => outcome);
    expect(outcomes(await mark('handled', [worst, good], other, ['good/1/1', 'good/1/1']))).toEqual(['stale', 'stale']);
    expect((await mark('handled', [worst, good], other, [work.result])).error).toMatchObject({ param: 'seen_results' });
    expect(outcomes(await mark('handled', [good, foreign, caution]))).toEqual(['marked', 'not_found', 'marked']);
    expect(outcomes(await mark('handled', [good]))).toEqual(['unchanged']);
    expect((await mark('handled', [good], stranger)).status).toBe(404);
    expect(await ids('attention=handled&order=urgency')).toEqual([caution, good]);
    expect(await ids('attention=open')).toEqual([worst]);
    const seen = ReportDetail.parse((await other.call('GET', `${path}/reports/${good}`)).json);
    expect(seen.work).toEqual({
      standing: 'good',
      attention: 'handled',
      handled: { at: expect.any(String), by: { kind: 'user', name: made.email } },
      result: expect.stringMatching(/^good\//),
    });
    expect(seen.history.at(-1)).toMatchObject({ what: 'handled', by: { name: made.email } });
    expect(outcomes(await mark('not_handled', [good]))).toEqual(['marked']);
    expect(outcomes(await mark('read', [worst]))).toEqual(['marked']);
    expect(await ids('attention=unread')).toEqual([]);
    const { entries } = AuditLog.parse((await other.call('GET', `/organizations/${made.organizationId}/audit-log?limit=100`)).json);
    expect(entries.flatMap(({ action, subject, details }) => (action.endsWith('handled') ? [[action, subject, details]] : []))).toEqual([
      ['report.not_handled', good, {}],
      ['report.handled', null, { reports: '2' }],
    ]);

    await eventually(async () => (await list('attention=open')).every(({ publication_status }) => publication_status === 'published'));
    const shared = async (report_ids: readonly string[]) => other.call('POST', `${path}/report-share-links`, { body: { report_ids } });
    await other.call('DELETE', `${path}/reports/${good}/share`);
    expect(ShareLinks.parse((await shared([worst, foreign, good, newId()])).json).links).toMatchObject([
      { report_id: worst, outcome: 'open', plate_number: '1가1.5', share_url: expect.stringMatching(/^https?:/) },
      { outcome: 'not_found', plate_number: null, share_url: null },
      { outcome: 'closed', share_url: null },
      { outcome: 'not_found' },
    ]);
    const many = Array.from({ length: 101 }, () => newId());
    for (const body of [{ report_ids: [] }, { report_ids: many }, { report_ids: ['x'] }]) {
      expect((await other.call('POST', `${path}/report-share-links`, { body })).error?.code).toBe('validation_error');
      expect((await other.call('POST', `${path}/report-marks`, { body: { ...body, mark: 'read' } })).error?.code).toBe('validation_error');
    }
    expect((await mark('burnt', [good])).error?.param).toBe('mark');
    for (const query of [
      'urgency=bad',
      'attention=none',
      'created_by=root',
      'order=oldest',
      'order=urgency&search=a',
      'order=urgency&cursor=x',
    ])
      expect([query, (await other.call('GET', `${path}/reports?${query}`)).error?.code]).toEqual([query, 'validation_error']);
  });

  it('a vehicle has a history', async () => {
    for (const depthMm of [7, 6]) await manual({ tires: tires([depthMm], null), external_vehicle_id: 'car-2' });
    const history = VehicleHistory.parse((await owner.call('GET', at('/vehicle-history?external_vehicle_id=car-2'))).json);
    expect(history.inspections.map(({ depths_mm }) => depths_mm.rear_left)).toEqual([7, 6]);
    expect(history.inspections[0]!.treads.rear_left).toEqual({
      depth_interval_mm: null,
      is_bald: false,
      is_partly_unseen: false,
      is_image_shared: false,
    });
    expect((await owner.call('GET', at('/vehicle-history'))).error?.param).toBe('external_vehicle_id');
  });

  it('can be published and discarded, and their link renewed and revoked', async () => {
    const reportId = created(await manual({ tires: tires([5], null) }));
    await published(reportId);
    const path = at(`/reports/${reportId}`);
    expect((await owner.call('POST', `${path}/publish`)).json).toMatchObject({ publication_status: 'published' });
    const before = (await owner.call('GET', `${path}/share`)).json as { share_url: string };
    const after = await owner.call('POST', `${path}/share`);
    expect([after.status, (after.json as typeof before).share_url]).toEqual([201, expect.not.stringContaining(before.share_url)]);
    expect((await owner.call('DELETE', `${path}/share`)).json).toMatchObject({ status: 'revoked' });
    const { email } = (await owner.refresh()).user;
    expect((await detail(reportId)).history.slice(-2).map(({ what, by }) => [what, by])).toEqual([
      ['link_reissued', { kind: 'user', name: email }],
      ['share_revoked', { kind: 'user', name: email }],
    ]);
    expect((await owner.call('POST', `${path}/analyze`, { body: {} })).status).toBe(202);
    expect((await support.call('DELETE', path)).error?.code).toBe('forbidden');
    // Nothing keeps photographs here, so that its removal is not complete: access has ended all the same.
    expect([200, 503]).toContain((await owner.call('DELETE', path)).status);
    expect((await owner.call('GET', path)).error?.code).toBe('not_found');
    expect((await owner.call('POST', `${path}/share`)).error?.code).toBe('report_discarded');
  });

  it('markup in text is returned as JSON only', async () => {
    const plate = '<img src=x onerror=1>';
    const reportId = created(await manual({ tires: tires([5], null), plate_number: plate, metadata: { note: '<script>1</script>' } }));
    const reply = await owner.call('GET', at(`/reports/${reportId}`));
    expect(ReportDetail.parse(reply.json).report.vehicle.plate_number).toBe(plate);
    expect([reply.headers.get('content-type'), reply.headers.get('x-content-type-options')]).toEqual([
      'application/json; charset=utf-8',
      'nosniff',
    ]);
  });

  it('another organization gets 404 for all of them, also through a project of its own', async () => {
    const reportId = created(await manual({ tires: tires([5], null) }));
    const { memberships } = await stranger.refresh();
    const own = await stranger.call('POST', `/organizations/${memberships[0]?.organization_id}/projects`, {
      body: { name: 'Own', mode: 'live' },
    });
    const id = newId();
    for (const project of [projectId, Project.parse(own.json).project_id])
      for (const [method, path, body] of [
        ['GET', `/reports/${reportId}`],
        ['GET', `/reports/${reportId}/content`],
        ['GET', `/reports/${reportId}/share`],
        ['GET', `/reports/${reportId}/images/${id}`],
        ['POST', `/reports/${reportId}/analyze`, {}],
        ['POST', `/reports/${reportId}/publish`],
        ['POST', `/reports/${reportId}/share`],
        ['DELETE', `/reports/${reportId}/share`],
        ...OF_CUSTOMER.map(([method, path, body]) => [method, `/reports/${reportId}${path}`, body] as const),
        ['POST', `/reports/${reportId}/gauge-values`, GAUGE],
        ['POST', `/reports/${reportId}/capture-link`, {}],
        ['DELETE', `/reports/${reportId}/capture-link`],
        ['GET', `/reports/${reportId}/size-guesses`],
        ['DELETE', `/reports/${reportId}`],
        ['GET', `/deliveries/${id}`],
        ['POST', `/deliveries/${id}/resend`],
      ] as const)
        expect([method, path, (await stranger.call(method, `/projects/${project}${path}`, { body })).error?.code]).toEqual([
          method,
          path,
          'not_found',
        ]);
    const { reports } = ReportList.parse((await stranger.call('GET', `/projects/${Project.parse(own.json).project_id}/reports`)).json);
    expect(reports).toEqual([]);
    const partner = (await owner.call('GET', at('/partner'))).json;
    for (const [method, path, body] of PARTNER_CALLS)
      expect([method, path, (await stranger.call(method, at(path), { body })).error?.code]).toEqual([method, path, 'not_found']);
    expect((await owner.call('GET', at('/partner'))).json).toEqual(partner);
    expect((await stranger.call('GET', at('/reports'))).error?.code).toBe('not_found');
  });

  it('webhook secrets are shown once, and replaced with an overlap', async () => {
    const rotate = async (overlap_hours: number) =>
      RotatedWebhookSecret.parse((await owner.call('POST', at('/webhook-secret'), { body: { overlap_hours } })).json).secret;
    const secrets = [await rotate(0), await rotate(24)];
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{40,}=*$/);
    const reply = await owner.call('GET', at('/webhook-secret'));
    expect(WebhookSecretState.parse(reply.json).secrets.map(({ expires_at }) => expires_at)).toEqual([null, expect.any(String)]);
    for (const secret of secrets) expect(reply.text).not.toContain(secret);
    expect((await owner.call('POST', at('/webhook-secret'), { body: { overlap_hours: 721 } })).error?.param).toBe('overlap_hours');
    expect((await support.call('GET', at('/webhook-secret'))).status).toBe(403);
  });

  it('the events of webhooks are chosen by administrators, and stand in the audit log', async () => {
    const path = at('/webhook-events');
    expect((await owner.call('GET', path)).json).toEqual({ events: [] });
    const events = ['report.failed', 'content.ready'];
    expect((await owner.call('PATCH', path, { body: { events: events.toReversed() } })).json).toEqual({ events });
    expect((await owner.call('GET', path)).json).toEqual({ events });
    for (const body of [{ events: ['report.completed'] }, { events: 'content.ready' }, {}])
      expect([(await owner.call('PATCH', path, { body })).error?.code, body]).toEqual(['validation_error', body]);
    for (const [method, body] of [['GET'], ['PATCH', { events }]] as const) {
      expect((await support.call(method, path, { body })).status).toBe(403);
      expect((await stranger.call(method, path, { body })).status).toBe(404);
    }
    expect((await owner.call('GET', path)).json).toEqual({ events });
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`)).json);
    expect(entries.find(({ action }) => action === 'webhook_events.changed')?.details).toEqual({ events: 'content.ready, report.failed' });
  });

  it('the result of a test delivery is shown, and the delivery can be sent again', async () => {
    const sent = await owner.call('POST', at('/deliveries/test'), { body: { url: 'https://127.0.0.1:1/hook' } });
    expect([sent.status, (sent.json as { type: string }).type]).toEqual([202, 'callback.test']);
    const { callback_id } = sent.json as { callback_id: string };
    const path = at(`/deliveries/${callback_id}`);
    const ended = await eventually(async () => {
      const { json } = await owner.call('GET', path);
      return (json as { attempts: { failure: string }[] }).attempts.length > 0 && json;
    });
    expect(ended).toMatchObject({ attempts: [{ number: 1, failure: 'forbidden' }] });
    expect((await owner.call('POST', `${path}/resend`)).status).toBe(202);
    const { deliveries } = DeliveryList.parse((await owner.call('GET', at('/deliveries?limit=5'))).json);
    expect(deliveries.map((one) => one.callback_id)).toContain(callback_id);
    expect((await owner.call('GET', at('/deliveries?state=lost'))).error?.param).toBe('state');
    expect((await owner.call('POST', at('/deliveries/test'), { body: { url: 'ftp://a.example' } })).error?.param).toBe('url');
    expect((await support.call('GET', at('/deliveries'))).status).toBe(403);
  });

  it('usage is counted by day, also as CSV', async () => {
    const timeZone = Project.parse((await owner.call('GET', at(''))).json).time_zone!;
    const dayOf = (ms: number): string => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(ms);
    const [yesterday, today] = [dayOf(Date.now() - 86_400_000), dayOf(Date.now())];
    const usage = Usage.parse((await owner.call('GET', at(`/usage?from=${yesterday}&to=${today}`))).json);
    expect(usage.days.map(({ day }) => day)).toEqual([yesterday, today]);
    expect(usage.days.reduce((sum, { reports }) => sum + reports, 0)).toBeGreaterThan(5);
    expect(usage.days.reduce((sum, { callbacks }) => sum + callbacks, 0)).toBeGreaterThan(0);
    const csv = await owner.call('GET', at(`/usage.csv?from=${yesterday}&to=${today}`));
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'day,reports,images,callbacks,callbacks_delivered',
      expect.stringMatching(`^${yesterday},`),
    ]);
    expect(usage.cost).toBeNull();
    const price = { valid_from: today, amount_minor: 1500, currency: 'KRW' };
    const set = await owner.call('POST', at('/report-prices'), { body: price });
    expect(ReportPrices.parse(set.json)).toMatchObject({ prices: [price], first_day: `${today.slice(0, 7)}-01` });
    const before = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 8)}01`;
    expect((await owner.call('POST', at('/report-prices'), { body: { ...price, valid_from: before } })).error?.param).toBe('valid_from');
    const later = ReportPrices.parse(set.json).last_day;
    await owner.call('POST', at('/report-prices'), { body: { ...price, valid_from: later } });
    expect((await owner.call('DELETE', at(`/report-prices?valid_from=${today}`))).error?.code).toBe('conflict');
    for (let times = 0; times < 2; times += 1)
      expect(ReportPrices.parse((await owner.call('DELETE', at(`/report-prices?valid_from=${later}`))).json).prices).toEqual([price]);
    const priced = Usage.parse((await owner.call('GET', at(`/usage?from=${yesterday}&to=${today}`))).json);
    const createdToday = priced.days[1]!.reports;
    const amount_minor = createdToday * price.amount_minor;
    expect(priced.cost).toEqual({ days: [{ day: today, amount_minor, currency: 'KRW' }], sums: [{ amount_minor, currency: 'KRW' }] });
    const table = (await owner.call('GET', at(`/usage.csv?from=${yesterday}&to=${today}`))).text.trimEnd().split('\r\n');
    expect(table[0]).toMatch(/,cost,currency$/);
    expect(table[1]).toMatch(/,,$/);
    expect(table.slice(2).map((line) => line.split(',').slice(-2))).toEqual(Array(2).fill([String(amount_minor), 'KRW']));
    expect(table.at(-1)).toMatch(/^sum,/);
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=3`)).json);
    expect(entries).toMatchObject([
      { action: 'report_price.removed', details: { valid_from: later } },
      { action: 'report_price.set', details: { valid_from: later } },
      { action: 'report_price.set', details: { price: '1500 KRW', valid_from: today } },
    ]);
    const developer = new Browser(gateway.origin, '192.0.2.9');
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    expect(Usage.parse((await developer.call('GET', at(`/usage?from=${today}&to=${today}`))).json).cost).toBeNull();
    expect((await developer.call('GET', at(`/usage.csv?from=${today}&to=${today}`))).text).not.toContain('KRW');
    expect((await developer.call('GET', at('/report-prices'))).status).toBe(403);
    expect((await developer.call('DELETE', at(`/report-prices?valid_from=${later}`))).status).toBe(403);
    const { memberships } = await stranger.refresh();
    const test = await stranger.call('POST', `/organizations/${memberships[0]?.organization_id}/projects`, {
      body: { name: 'Test', mode: 'test' },
    });
    const ofTest = `/projects/${Project.parse(test.json).project_id}/report-prices`;
    expect((await stranger.call('POST', ofTest, { body: price })).error?.code).toBe('conflict');
    expect((await stranger.call('POST', at('/report-prices'), { body: price })).error?.code).toBe('not_found');
    for (const [param, wrong] of [
      ['amount_minor', { amount_minor: -1 }],
      ['amount_minor', { amount_minor: 1.5 }],
      ['currency', { currency: 'WON' }],
      ['valid_from', { valid_from: '2026-02-30' }],
      ['valid_from', { valid_from: '2999-01-01' }],
    ] as const)
      expect((await owner.call('POST', at('/report-prices'), { body: { ...price, ...wrong } })).error?.param).toBe(param);
    for (const query of ['', `from=${today}`, `from=${today}&to=${yesterday}`, `from=2026-01-01&to=2026-12-31`, 'from=x&to=y'])
      expect((await owner.call('GET', at(`/usage?${query}`))).error?.code).toBe('validation_error');
    expect((await support.call('GET', at(`/usage?from=${today}&to=${today}`))).status).toBe(403);
  });

  it('the audit log records actions on reports with their actors', async () => {
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`)).json);
    const { email } = (await support.refresh()).user;
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'report.created',
        'report.published',
        'report.share_reissued',
        'report.share_revoked',
        'webhook_secret.rotated',
        'callback.tested',
      ]),
    );
    expect(entries.find(({ action, actor }) => action === 'report.created' && actor?.email === email)).toMatchObject({
      project_id: projectId,
      details: { mode: 'manual' },
      address: support.address,
    });
  });

  it('a report belongs to a branch of its project; another project, or an unknown id, names the field', async () => {
    const made = await owner.call('POST', at('/branches'), { body: { name: '강남점', phone: '02-555-0000' } });
    expect(made.status).toBe(201);
    const branch = Branch.parse(made.json);
    const body = { tires: tires(), branch_id: branch.branch_id, vin: 'KMHXX00XXXX000001', mileage_km: 48_210 };
    const { report } = await detail(created(await manual(body, support)));
    expect([report.branch_id, report.vehicle]).toEqual([branch.branch_id, { plate_number: null, vin: body.vin, mileage_km: 48_210 }]);
    const other = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Other', mode: 'live' } });
    const elsewhere = `/projects/${Project.parse(other.json).project_id}`;
    const inOther = await owner.call('POST', `${elsewhere}/manual-reports`, { body });
    expect([inOther.status, inOther.error]).toMatchObject([422, { code: 'validation_error', param: 'branch_id' }]);
    expect((await manual({ ...body, branch_id: newId() })).error).toMatchObject({ param: 'branch_id' });
    expect((await manual({ ...body, branch_id: 'gangnam' })).error).toMatchObject({ param: 'branch_id' });
    for (const wrong of [{ vin: 'KMHXX00XXXX00000I' }, { mileage_km: -1 }, { mileage_km: 2_000_001 }])
      expect((await manual({ ...body, ...wrong })).error).toMatchObject({ code: 'validation_error', param: Object.keys(wrong)[0] });
    const change = (by: Browser, path: string, over: object = {}) =>
      by.call('PATCH', `${path}/branches/${branch.branch_id}`, { body: { name: '강남점', ...over } });
    for (const reply of [await change(stranger, at('')), await change(owner, elsewhere)]) expect(reply.error?.code).toBe('not_found');
    expect((await change(support, at(''))).error?.code).toBe('forbidden');
    expect(Branch.parse((await change(owner, at(''), { archived: true })).json).archived_at).toEqual(expect.any(String));
    expect((await manual(body)).error).toMatchObject({ code: 'validation_error', param: 'branch_id' });
    expect(BranchList.parse((await support.call('GET', at('/branches'))).json).branches).toHaveLength(1);
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=20`)).json);
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['branch.created', 'branch.archived']));
  });

  it('vehicles are listed, merged, split and judged by those who write reports, and logged without plates', async () => {
    const inProject = async (path: string, body?: object, by = owner) => by.call(body ? 'POST' : 'GET', at(path), { body });
    const plated = async (plate_number: string) => created(await manual({ tires: tires(), plate_number }));
    const [one] = [await plated('61하1234'), await plated('62하1234')];
    const find = async (search: string) =>
      VehicleList.parse((await inProject(`/vehicles?search=${encodeURIComponent(search)}`)).json).vehicles[0]!.vehicle_id;
    const [vehicle, other] = [await find('61 하'), await find('62하1234')];
    const paths = {
      merge: [`/vehicles/${vehicle}/merge`, { merged_vehicle_id: other }],
      split: [`/vehicles/${vehicle}/split`, { plate_number: '61하1234', from: new Date(Date.now() + 86_400_000).toISOString() }],
      judge: [`/vehicles/${vehicle}/tires`, { report_id: one, position: 'front_left', verdict: 'replaced' }],
    } as const;
    for (const [path, body] of Object.values(paths)) {
      expect((await inProject(path, body, stranger)).error?.code).toBe('not_found');
      expect(VehiclePassport.parse((await inProject(path, body, support)).json).vehicle_id).toBe(vehicle);
    }
    const { changes, judgements } = VehiclePassport.parse((await inProject(`/vehicles/${vehicle}`)).json);
    expect([changes.map(({ kind }) => kind), judgements.length]).toEqual([['split', 'merged'], 1]);
    const undo = `/vehicles/${vehicle}/changes/${changes[1]!.change_id}/undo`;
    expect((await inProject(undo, {}, support)).status).toBe(200);
    expect((await inProject(undo, {}, support)).error?.code).toBe('conflict');
    const links = `/vehicles/${vehicle}/links`;
    const made = CreatedVehicleLink.parse((await inProject(links, { shows_plate: true })).json);
    expect(made).toMatchObject({ status: 'active', shows_plate: true, created_by: { kind: 'user' } });
    expect(made.url).toMatch(/^https:\/\/share\.example\/r\/v\/[\w-]{43}$/);
    const listed = VehicleLinkList.parse((await inProject(links, undefined, support)).json).links;
    expect(listed.map(({ link_id }) => link_id)).toEqual([made.link_id]);
    expect((await inProject(links, undefined, stranger)).error?.code).toBe('not_found');
    expect((await inProject(links, {}, stranger)).error?.code).toBe('not_found');
    expect((await stranger.call('DELETE', at(`${links}/${made.link_id}`))).error?.code).toBe('not_found');
    expect((await owner.call('DELETE', at(`${links}/${newId()}`))).error?.code).toBe('not_found');
    const ended = VehicleLink.parse((await owner.call('DELETE', at(`${links}/${made.link_id}`))).json);
    expect([ended.link_id, ended.status]).toEqual([made.link_id, 'revoked']);
    for (const path of [`/vehicles/${vehicle}`, '/vehicles'])
      expect((await inProject(path, undefined, stranger)).error?.code).toBe('not_found');
    const { text } = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`);
    for (const action of ['vehicle.merged', 'vehicle.split', 'vehicle.tire_judged', 'vehicle.link_created', 'vehicle.link_revoked'])
      expect(text).toContain(action);
    expect(text).not.toContain('하1234');
  });

  it('a project has a time zone, which share gets to know, and which only those who manage projects change', async () => {
    expect(Project.parse((await owner.call('GET', at(''))).json).time_zone).toBe('Asia/Seoul');
    const choose = (by: Browser, time_zone: string) => by.call('PATCH', at('/time-zone'), { body: { time_zone } });
    expect((await choose(owner, 'Asia/Soul')).error).toMatchObject({ code: 'validation_error', param: 'time_zone' });
    expect((await choose(support, 'UTC')).error?.code).toBe('forbidden');
    expect((await choose(stranger, 'UTC')).error?.code).toBe('not_found');
    expect(Project.parse((await choose(owner, 'Pacific/Auckland')).json).time_zone).toBe('Pacific/Auckland');
    const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Pacific/Auckland' }).format(new Date());
    const used = Usage.parse((await owner.call('GET', at(`/usage?from=${today}&to=${today}`))).json);
    expect(used.days).toMatchObject([{ day: today, reports: expect.any(Number) }]);
    const waiting = await asOwnerOf(
      gateway.databaseUrl,
      'SELECT count(*) AS count FROM projects WHERE time_zone_noted < time_zone_version',
    );
    expect(waiting).toBe(0);
    expect((await choose(owner, 'Asia/Seoul')).status).toBe(200);
  });

  it('a hundred zones that share refuses keep none of the others waiting', async () => {
    // Projects of before all others, with a zone that every service refuses.
    await inDatabaseOf(
      gateway.databaseUrl,
      `INSERT INTO projects (project_id, organization_id, name, mode, created_at, time_zone, time_zone_version)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${organizationId}', 'Refused ' || n, 'live', now(), 'Nowhere/Else', 1
         FROM generate_series(1, 100) n`,
    );
    try {
      const chosen = await owner.call('PATCH', at('/time-zone'), { body: { time_zone: 'Pacific/Auckland' } });
      expect(chosen.status).toBe(200);
      const waiting = `SELECT count(*) AS count FROM projects WHERE time_zone_noted < time_zone_version`;
      expect(await asOwnerOf(gateway.databaseUrl, waiting)).toBe(100);
    } finally {
      await inDatabaseOf(gateway.databaseUrl, `UPDATE projects SET time_zone_noted = time_zone_version WHERE time_zone = 'Nowhere/Else'`);
    }
  });
});

const asOwnerOf = async (url: string, statement: string): Promise<number> => Number((await inDatabaseOf(url, statement))[0]!.count);

async function inDatabaseOf(url: string, statement: string): Promise<{ count: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.scope', 'system', false)`);
    return (await client.query<{ count: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}
