import { CreateReportResponse, Report } from '@tire/contracts/api';
import { AuditLog, IssuedApiKey, Project } from '@tire/contracts/console';
import { USUAL_COLUMNS } from '@tire/contracts/limits';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { strFromU8, unzipSync } from 'fflate';
import { text } from 'node:stream/consumers';
import { ExportTurns } from './export-turns';
import { TooManyRows } from './exported-rows';
import { ExportsService } from './exports.service';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const IMAGES = POSITIONS.map((position) => ({
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  source: { url: `https://images.example/measured/tread/${position}.jpg` },
}));
/** An image that is fetched for the whole test. */
const WAITING = [{ ...IMAGES[0]!, source: { url: 'https://images.example/waiting.jpg' } }];
const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [6, 6.1, 6], size: null }));
const ONE = newId();
/** What a partner may send as a plate or an id to be opened by a spreadsheet. */
const FORMULA = '=HYPERLINK("https://evil.example","x")';

describe('the export of reports', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let stranger: Browser;
  let organizationId: string;
  let ownerEmail: string;
  let projectId: string;
  let reportIds: string[];

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
    [owner, stranger] = ['192.0.2.1', '192.0.2.2'].map((address) => new Browser(gateway.origin, address)) as [Browser, Browser];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    ownerEmail = made.email;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
    const issued = await owner.call('POST', `/projects/${projectId}/keys`, { body: { name: 'key', scopes: ['report:*'] } });
    const { value: key } = IssuedApiKey.parse(issued.json);
    const create = async (body: object) =>
      CreateReportResponse.parse((await gateway.call('POST', '/reports', { key, body })).json).report_id;
    const measured = await create({ template: 'tire_4t_0s', images: IMAGES, plate_number: '12가 3456' });
    await eventually(async () => {
      const { json } = await gateway.call('GET', `/reports/${measured}`, { key });
      return Report.parse(json).summary_status === 'complete';
    });
    reportIds = [measured];
    for (let index = 0; index < 120; index += 1)
      reportIds.unshift(
        await create({ template: 'tire_4t_0s', images: WAITING, external_vehicle_id: index === 0 ? FORMULA : `car ${index}` }),
      );
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const path = (query: Record<string, string>, of = projectId) => `/projects/${of}/report-export?${new URLSearchParams(query)}`;
  const download = async (query: Record<string, string>) => {
    const response = await fetch(`${gateway.origin}/console/api${path(query)}`, { headers: { cookie: owner.cookie } });
    const name = response.headers.get('content-disposition');
    return { status: response.status, name, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const csv = async (query: Record<string, string>) => {
    const { status, bytes } = await download(query);
    expect([status, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'efbbbf']);
    return bytes.subarray(3).toString().trimEnd().split('\r\n');
  };

  it('has every report of the list with the columns that were chosen, in their order', async () => {
    const lines = await csv({ columns: 'report_id,plate_number,depth_front_left,size_front_left,analysis_status', language: 'en' });
    expect(lines[0]).toBe('Report id,Plate,Depth front left (mm),Size front left,State');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(reportIds);
    expect(lines.at(-1)).toBe(`${reportIds.at(-1)},12가 3456,5.1,,Measured`);
    expect(lines[1]).toBe(`${reportIds[0]},,,,Being measured`);
  });

  it('has all columns, in Korean, by default', async () => {
    const [head] = await csv({});
    expect(head!.split(',')).toHaveLength(USUAL_COLUMNS.length);
    expect(head).not.toContain('고객');
    expect(head).toContain('차량 번호');
  });

  it('is filtered as the list is', async () => {
    const columns = 'report_id';
    expect(await csv({ columns, analysis_status: 'complete' })).toHaveLength(2);
    expect(await csv({ columns, search: '3456' })).toHaveLength(2);
    expect(await csv({ columns, created_from: '2100-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('opens no formula that a partner sent', async () => {
    const lines = await csv({ columns: 'external_vehicle_id', search: FORMULA });
    expect(lines.slice(1)).toEqual([`"'${FORMULA.replaceAll('"', '""')}"`]);
  });

  it('is a workbook with the same rows, whose texts are texts', async () => {
    const { name, bytes } = await download({ format: 'xlsx', columns: 'report_id,depth_front_left,external_vehicle_id' });
    expect(name).toMatch(/^attachment; filename="reports-\d{4}-\d\d-\d\d\.xlsx"$/);
    const parts = unzipSync(bytes);
    expect(Object.keys(parts).toSorted()).toEqual(
      ['[Content_Types].xml', '_rels/.rels', 'xl/_rels/workbook.xml.rels', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml'].toSorted(),
    );
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
    expect(sheet.match(/<row>/g)).toHaveLength(reportIds.length + 1);
    expect(sheet).toContain('<c><v>5.1</v></c>');
    expect(sheet).toContain(`<t xml:space="preserve">${FORMULA}</t>`);
    expect(sheet).not.toMatch(/<f>|t="str"/);
  });

  const query = { format: 'csv', language: 'en', columns: ['report_id'] } as const;
  const member = () => ({ projectId, role: 'owner' }) as const;
  const wholeList = () => ({ ...query, columns: [...query.columns] });

  it('says that there are more reports than a file has', async () => {
    const file = await gateway.part(ExportsService).file(member(), wholeList(), { rowsMax: 110 });
    const lines = (await text(file)).trimEnd().split('\r\n');
    expect(lines.slice(1, -1)).toEqual(reportIds.slice(0, 110));
    expect(lines.at(-1)).toContain('There are more reports');
  });

  it('fails instead where it has to be whole, and its turn is free', async () => {
    for (const format of ['csv', 'xlsx'] as const) {
      const file = await gateway.part(ExportsService).file(member(), { ...wholeList(), format }, { rowsMax: 110, isWhole: true });
      await expect(text(file)).rejects.toThrow(TooManyRows);
    }
    const whole = await gateway.part(ExportsService).file(member(), wholeList(), { rowsMax: reportIds.length, isWhole: true });
    expect((await text(whole)).trimEnd().split('\r\n').slice(1)).toEqual(reportIds);
  });

  it('is one at a time for a project, and its turn is free when its reader goes', async () => {
    const first = await gateway.part(ExportsService).file(member(), wholeList());
    expect((await owner.call('GET', path({}))).error?.code).toBe('rate_limited');
    first.destroy();
    await eventually(async () => (await owner.call('GET', path({}))).status === 200);
  });

  it('is one at a time over all processes; the turn of a process that died is free later, and is no longer its own', async () => {
    const [here, there] = [new ExportTurns(gateway.database), new ExportTurns(gateway.database)];
    const late = await here.take(projectId);
    await expect(there.take(projectId)).rejects.toMatchObject({ code: 'rate_limited' });
    await gateway.database.projectQuery(
      projectId,
      `UPDATE export_turns SET held_until = now() - interval '1 second' WHERE project_id = $1 RETURNING 1`,
      [projectId],
    );
    const taken = await there.take(projectId);
    await late.giveBack();
    await expect(here.take(projectId)).rejects.toMatchObject({ code: 'rate_limited' });
    await taken.giveBack();
    await (await here.take(projectId)).giveBack();
  });

  const selected = (body: object, browser = owner, of = projectId) =>
    browser.call('POST', `/projects/${of}/report-export`, { body: { columns: ['report_id'], language: 'en', ...body } });

  it('has selected reports in their order, without those of another project', async () => {
    const wanted = [reportIds[3]!, reportIds.at(-1)!, newId(), reportIds[0]!];
    const { status, text: file } = await selected({ report_ids: wanted });
    expect(status).toBe(200);
    expect(file.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual(['Report id', wanted[0], wanted[1], wanted[3]]);
    expect((await selected({ report_ids: wanted }, stranger)).error?.code).toBe('not_found');
  });

  it.each([
    [{ report_ids: [] }, 'report_ids'],
    [{ report_ids: Array.from({ length: 101 }, () => newId()) }, 'report_ids'],
    [{ report_ids: [ONE, ONE] }, 'report_ids'],
    [{ report_ids: [ONE], columns: [] }, 'columns'],
    [{ report_ids: [ONE], columns: ['report_id', 'report_id'] }, 'columns'],
    [{ report_ids: [ONE], columns: ['secret'] }, 'columns[0]'],
  ])('of a selection is refused: %j', async (body, param) => {
    expect((await selected(body)).error).toMatchObject({ code: 'validation_error', param });
  });

  it('has branch, VIN, mileage, verdict and who handled the report', async () => {
    const { json: branch } = await owner.call('POST', `/projects/${projectId}/branches`, { body: { name: 'Gangnam' } });
    const { branch_id } = branch as { branch_id: string };
    const { json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, {
      body: { tires: TIRES, branch_id, vin: 'KMHD341CBLU000001', mileage_km: 41_000 },
    });
    const made = CreateReportResponse.parse(json).report_id;
    const columns = ['branch', 'vin', 'mileage_km', 'standing', 'handled_by'];
    const row = async () => (await selected({ report_ids: [made], columns })).text.trimEnd().split('\r\n')[1];
    await eventually(async () => (await row()) === 'Gangnam,KMHD341CBLU000001,41000,Good,');
    await owner.call('POST', `/projects/${projectId}/report-marks`, { body: { report_ids: [made], mark: 'handled' } });
    expect(await row()).toBe(`Gangnam,KMHD341CBLU000001,41000,Good,${ownerEmail}`);
    await owner.call('DELETE', `/projects/${projectId}/reports/${made}`);
  });

  it('has customers for roles that see them, and the audit log says so', async () => {
    const reportId = reportIds[1]!;
    const customer = { name: '=김민수', phone: '010-1234-5678', email: 'minsu@shop.example' };
    const recorded = await owner.call('PATCH', `/projects/${projectId}/reports/${reportId}/visit`, { body: customer });
    expect(recorded.status).toBe(200);
    const columns = ['customer_name', 'customer_phone', 'customer_email'];
    const { text: file } = await selected({ report_ids: [reportIds[2]!, reportId], columns });
    expect(file.trimEnd().split('\r\n').slice(1)).toEqual([',,', `'${customer.name},${customer.phone},${customer.email}`]);
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=1`)).json);
    expect(entries[0]).toMatchObject({ action: 'reports.exported', details: { format: 'csv', reports: '2', fields: 'name phone email' } });
    const developer = new Browser(gateway.origin, '192.0.2.3');
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    expect((await selected({ report_ids: [reportId] }, developer)).status).toBe(200);
    expect((await selected({ report_ids: [reportId], columns }, developer)).error).toMatchObject({ code: 'forbidden', param: 'columns' });
    expect((await developer.call('GET', path({ columns: 'customer_phone' }))).error?.code).toBe('forbidden');
  });

  it.each([
    ['columns', { columns: 'report_id,secret' }],
    ['columns', { columns: 'report_id,report_id' }],
    ['format', { format: 'pdf' }],
    ['analysis_status', { analysis_status: 'done' }],
  ])('is refused with a wrong %s', async (param, query) => {
    expect((await owner.call('GET', path(query as Record<string, string>))).error).toMatchObject({ code: 'validation_error', param });
  });

  it('is not there for another organization, and each one is in the audit log', async () => {
    expect((await stranger.call('GET', path({}))).error?.code).toBe('not_found');
    expect((await owner.call('GET', path({}, newId()))).error?.code).toBe('not_found');
    await csv({ columns: 'report_id' });
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json);
    expect(entries[0]).toMatchObject({ action: 'reports.exported', details: { format: 'csv' } });
  });
});
