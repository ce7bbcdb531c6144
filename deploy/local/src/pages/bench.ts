// `npm run bench:pages [-- --reports 1000000] [-- --rounds 5]`: on a stack of its own, what a visitor of a share page and a member in the
// console wait for, beside the goals of each.
import { launchBrowser, paintOnAPhone, Visitor } from '@tire/test-harness';
import { median, openPages, queryDatabase, rowCopies, runBench } from '@tire/test-harness/bench';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PartnerClient, upload } from '../client';
import { step } from '../progress';
import { sampleImages } from '../samples';
import { startStack } from '../stack';
import type { StackFile } from '../stack-file';
import { Connection } from './answers';
import { type Goal, tableOf } from './goals';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

const GOALS = { pageMs: 5, paintS: 0.8, thumbnailKb: 60, consoleKb: 200, listMs: 100 };
const FIRST_VIEWS = 20;
const REPEATED_VIEWS = 60;
const WARM_UP = 40;
const LISTS = 30;
const KB = 1_000;
const BROWSER = { 'accept-encoding': 'gzip, deflate, br' };
const THUMBNAILS = /<source type="image\/webp" srcset="([^"]+)"/g;

const kb = (bytes: number): number => bytes / KB;

async function times(count: number, work: (index: number) => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) taken.push(await work(taken.length));
  return taken;
}

/** A measured report with eight photographs, and its share page. */
async function measuredReport(stack: StackFile): Promise<{ id: string; page: string }> {
  const client = new PartnerClient(stack, stack.keys.live);
  const samples = await sampleImages(join(process.env['STACK_DIR']!, 'samples'));
  const { report_id: id, upload_targets: targets = [] } = await client.create({ template: 'tire_4t_4s', plate_number: '12가 3456' });
  await Promise.all(targets.map((target) => upload(target, samples)));
  await client.json('POST', `/reports/${id}/images`, {
    images: targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });
  const { links } = await client.finished(id);
  return { id, page: links.share! };
}

async function pages(stack: StackFile, browser: Browser, page: string, rounds: number): Promise<Goal[]> {
  const { origin } = new URL(page);
  // A first view is of a page that no process has rendered. Each copy has one.
  const copies = (await openPages(stack, WARM_UP + rounds * (FIRST_VIEWS + 1))).map((path) => `${origin}${path}`);
  const visitor = new Connection(BROWSER);
  const view = async (address: string) => (await visitor.get(address)).ms;
  const next = () => view(copies.pop()!);
  await times(WARM_UP, next);
  const [first, repeated, paints]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    first.push(median(await times(FIRST_VIEWS, next)));
    await view(page);
    repeated.push(median(await times(REPEATED_VIEWS, () => view(page))));
    paints.push((await paintOnAPhone(browser, copies.pop()!)).firstPaintMs / KB);
  }
  const { bytes } = await visitor.get(page);
  visitor.close();
  const document = await (await fetch(page)).text();
  const addresses = [...document.matchAll(THUMBNAILS)].map(([, address]) => address!.replaceAll('&amp;', '&'));
  const thumbnails = await Promise.all(addresses.map(async (address) => (await (await fetch(address)).arrayBuffer()).byteLength));
  if (thumbnails.length === 0) throw new Error('The page has no thumbnail');
  console.log(
    `A page of ${kb(document.length).toFixed(0)} KB, ${kb(bytes.length).toFixed(1)} KB as it is sent, with ${thumbnails.length} thumbnails: ` +
      `${thumbnails.map((size) => kb(size).toFixed(0)).join(', ')} KB.`,
  );
  return [
    { what: 'share page, first view, until the last byte', unit: 'ms', most: GOALS.pageMs, values: first },
    { what: 'share page, further views, until the last byte', unit: 'ms', most: GOALS.pageMs, values: repeated },
    { what: 'share page, first contentful paint on a throttled phone', unit: 's', most: GOALS.paintS, values: paints },
    { what: 'largest thumbnail', unit: 'KB', most: GOALS.thumbnailKb, values: [kb(Math.max(...thumbnails))] },
  ];
}

/** With as many standings and vehicles as bench:search has. */
async function manyReports(stack: StackFile, reportId: string, count: number): Promise<string> {
  const copies = await rowCopies(stack, 'tire_ledger', 'reports');
  const changes = {
    report_id: 'gen_random_uuid()',
    created_at: `original.created_at - n * interval '1 second'`,
    plate_number: `lpad((n / 10000 % 1000)::text, 3, '0') || '가' || lpad((n % 10000)::text, 4, '0')`,
    external_vehicle_id: `'car-' || n % 1000`,
    external_inspection_id: `'visit-' || n`,
    share_token_digest: `sha256(convert_to('copy ' || n, 'UTF8'))`,
    link_token: 'NULL',
    standing: `CASE WHEN n % 100 = 7 THEN 'critical' WHEN n % 10 = 5 THEN 'near_limit' WHEN n % 10 < 3 THEN 'caution' ELSE 'good' END`,
    attention: `CASE WHEN n % 10000 = 7 THEN 'unread' WHEN n % 1000 < 3 THEN 'read' ELSE 'handled' END`,
  };
  const from = `reports original CROSS JOIN generate_series(1, ${count}) AS n WHERE original.report_id = $1`;
  await queryDatabase(stack, 'tire_ledger', copies(changes, from), [reportId]);
  await queryDatabase(stack, 'tire_ledger', 'VACUUM ANALYZE reports');
  const [row] = await queryDatabase<{ project: string }>(
    stack,
    'tire_ledger',
    'SELECT project_id AS project FROM reports WHERE report_id = $1',
    [reportId],
  );
  return row!.project;
}

async function consolePages(stack: StackFile, browser: Browser, projectId: string, rounds: number): Promise<Goal[]> {
  const { origin } = new URL(stack.console_url);
  const visitor = await Visitor.create(browser, origin);
  await visitor.signIn(stack.console_login.email, stack.console_login.password);
  await visitor.heading('Projects').waitFor();
  const loaded = await visitor.tab.evaluate<number[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ encodedBodySize }) => encodedBodySize)`,
  );
  const organization = /\/organizations\/[^/]+/.exec(visitor.tab.url())![0];
  // The request of the console itself, so that it is the one that members send.
  const [requested] = await Promise.all([
    visitor.tab.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/console/api/projects/${projectId}/reports`)),
    visitor.open(`${organization}/projects/${projectId}/reports`),
  ]);
  await visitor.tab.getByRole('list', { name: 'Reports' }).getByRole('link').first().waitFor();
  const cookie = (await visitor.tab.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await visitor.leave();
  const member = new Connection({ ...BROWSER, cookie });
  const everyReport = `${requested.url().split('?')[0]}?limit=20`;
  for (const address of [requested.url(), everyReport]) {
    const { reports } = (await (await fetch(address, { headers: { cookie } })).json()) as { reports: unknown[] };
    if (reports.length === 0) throw new Error(`${address} lists nothing`);
  }
  const list = (address: string) => async () => (await member.get(address)).ms;
  const [worklist, all]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    worklist.push(median(await times(LISTS, list(requested.url()))));
    all.push(median(await times(LISTS, list(everyReport))));
  }
  member.close();
  return [
    {
      what: 'console, first load until the list of projects, compressed',
      unit: 'KB',
      most: GOALS.consoleKb,
      values: [kb(loaded.reduce((sum, bytes) => sum + bytes, 0))],
    },
    { what: 'console, first page of the worklist', unit: 'ms', most: GOALS.listMs, values: worklist },
    { what: 'console, first page of all reports', unit: 'ms', most: GOALS.listMs, values: all },
  ];
}

async function measured(reports: number, rounds: number): Promise<Goal[]> {
  const stack = await startStack({});
  const browser = await launchBrowser();
  try {
    const { id, page } = await step('a measured report of eight photographs', () => measuredReport(stack.file));
    const goals = await step('share pages', () => pages(stack.file, browser, page, rounds));
    const projectId = await step(`${reports} reports`, () => manyReports(stack.file, id, reports));
    return [...goals, ...(await step('the console', () => consolePages(stack.file, browser, projectId, rounds)))];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { reports: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'tire-pages-'));
  process.env['STACK_DIR'] = folder;
  try {
    const goals = await measured(Number(values.reports), Number(values.rounds));
    console.log(`\n${values.rounds} rounds; ${values.reports} reports in the list.\n`);
    console.log(tableOf(goals));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

runBench(main);
