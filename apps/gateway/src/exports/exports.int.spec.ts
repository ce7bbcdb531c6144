import { CreateReportResponse, Report } from '@tire/contracts/api';
import { AuditLog, IssuedApiKey, Project } from '@tire/contracts/console';
import { EXPORT_COLUMNS } from '@tire/contracts/limits';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { strFromU8, unzipSync } from 'fflate';
import { text } from 'node:stream/consumers';
import { ExportsService } from './exports.service';
import { startBehind } from '../testing/behind';
import { Browser, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const IMAGES = POSITIONS.map((position) => ({
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  source: { url: `https://images.example/measured/tread/${position}.jpg` },
}));
/** An image that is fetched for the whole test. */
const WAITING = [{ ...IMAGES[0]!, source: { url: 'https://images.example/waiting.jpg' } }];
/** What a partner may send as a plate or an id to be opened by a spreadsheet. */
const FORMULA = '=HYPERLINK("https://evil.example","x")';

describe('the export of reports', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;
  let reportIds: string[];

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
    expect(head!.split(',')).toHaveLength(EXPORT_COLUMNS.length);
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

  it('says that there are more reports than a file has', async () => {
    const exports = gateway.app.get(ExportsService, { strict: false });
    const query = { format: 'csv', language: 'en', columns: ['report_id'] } as const;
    const lines = (await text(await exports.file(projectId, { ...query, columns: [...query.columns] }, 110))).trimEnd().split('\r\n');
    expect(lines.slice(1, -1)).toEqual(reportIds.slice(0, 110));
    expect(lines.at(-1)).toContain('There are more reports');
  });

  it('is one at a time for a project, and its place is free when its reader goes', async () => {
    const exports = gateway.app.get(ExportsService, { strict: false });
    const query = { format: 'csv', language: 'en', columns: ['report_id' as const] } as const;
    const first = await exports.file(projectId, { ...query, columns: [...query.columns] });
    expect((await owner.call('GET', path({}))).error?.code).toBe('rate_limited');
    const closed = new Promise((resolve) => first.once('close', resolve));
    first.destroy();
    await closed;
    expect((await owner.call('GET', path({}))).status).toBe(200);
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
