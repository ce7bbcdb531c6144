import type { Report } from '@tire/contracts/api';
import { eventually } from '@tire/test-harness';
import { imagesIn, PageWatch } from './page-watch';
import { freshTargets, uploadImages, settled, tread, TREADS, uploaded } from '../reports/reports';
import { apiOf, systemReady } from '../world';

/** The figures in the README come from a run with 40. */
const ROUNDS = Number(process.env['E2E_PAGE_ROUNDS'] ?? 2);
const ROUNDS_OF_A_REPORT = Math.min(4, ROUNDS);
const LIVES_MAX = ROUNDS / ROUNDS_OF_A_REPORT + 4;
const READS_AFTERWARDS = 20;
const MEASURED_WITHIN_MS = 180_000;
const REPLACED = tread('front_left');
const ANALYZED = tread('rear_right');

const api = apiOf('live');
/** The images of a page that shows all of them. */
const imagesAt = (address: string) =>
  eventually(
    async () => {
      const images = imagesIn(await (await fetch(address)).text());
      return images.size === TREADS.length && images;
    },
    { timeoutMs: MEASURED_WITHIN_MS, message: 'The page does not show all images' },
  );
const isOpenFor = (watch: PageWatch) => {
  const before = watch.openReads();
  return eventually(() => watch.openReads() > before, { timeoutMs: MEASURED_WITHIN_MS, message: 'The page did not open again' });
};

/** Starts with the response of the API. While the status is "processing", no page read that began after the start may be open. */
async function closedWhileProcessing(watch: PageWatch, report: string, revision: string): Promise<Report> {
  const fromMs = performance.now();
  let processingMs = fromMs;
  const deadlineMs = fromMs + MEASURED_WITHIN_MS;
  for (;;) {
    const askedMs = performance.now();
    const current = await api.report(report);
    if (current.analysis_status === 'processing') processingMs = askedMs;
    else if (current.analysis_revision !== revision) {
      watch.closedBetween(fromMs, processingMs);
      return current;
    }
    if (askedMs > deadlineMs) throw new Error(`Report ${report} is ${current.analysis_status}`);
  }
}

async function replaceImage(watch: PageWatch, before: Report, address: string): Promise<Report> {
  const { report_id: report } = before;
  const shown = await imagesAt(address);
  const targets = await freshTargets(api, report, [REPLACED]);
  void (await uploadImages(api, report, targets, 'replace=true')).done;
  const sinceMs = performance.now();
  const after = await closedWhileProcessing(watch, report, before.analysis_revision!);
  await isOpenFor(watch);
  const shownNow = await imagesAt(address);
  const gone = [...shown].filter((image) => !shownNow.has(image));
  expect(gone).toHaveLength(1);
  watch.without(gone[0]!, sinceMs);
  return after;
}

async function analyzeAnew(watch: PageWatch, { report_id: report, analysis_revision }: Report): Promise<Report> {
  void (await api.call('analyzeSlots', { report, body: { slots: [ANALYZED] } })).done;
  return closedWhileProcessing(watch, report, analysis_revision!);
}

/** Revokes the link first in every second round. Returns the address at which the page is now open. */
async function issueAnew(watch: PageWatch, report: string, addresses: readonly string[]): Promise<string> {
  if (addresses.length % 2 === 0) {
    void (await api.call('revokeShare', { report })).done;
    watch.neverAgain(addresses);
  }
  const address = (await api.call('reissueShare', { report })).done.share_url!;
  watch.neverAgain(addresses);
  expect((await fetch(address)).status).toBe(200);
  watch.read(address);
  return address;
}

/** The life of one report under continuous reads. Every second one is discarded while it is measured again. */
async function oneLife(index: number): Promise<Map<string, number>> {
  const watch = new PageWatch();
  let report = await settled(api, (await uploaded(api, { template: 'tire_4t_0s' }, TREADS)).report_id);
  const id = report.report_id;
  const addresses = [report.links.share!];
  watch.read(addresses[0]!);
  for (let round = 0; round < ROUNDS_OF_A_REPORT; round += 1) {
    await isOpenFor(watch);
    report = await replaceImage(watch, report, addresses.at(-1)!);
    report = await analyzeAnew(watch, report);
    await isOpenFor(watch);
    addresses.push(await issueAnew(watch, id, addresses));
  }
  if (index % 2 === 0) void (await api.call('analyzeSlots', { report: id, body: { slots: [ANALYZED] } })).done;
  void (await api.call('discardReport', { report: id })).done;
  watch.neverAgain(addresses);
  return watch.stop(READS_AFTERWARDS);
}

beforeAll(systemReady);

it(
  `a reader of the page never sees data that a change has removed, ${ROUNDS} times`,
  async () => {
    const held = new Map<string, number>();
    // On a busy machine no read may fall into the short time of an analysis. Then other reports follow.
    const provesAll = () => held.size === 3 && [...held.values()].every((reads) => reads > 0);
    for (let index = 0; index * ROUNDS_OF_A_REPORT < ROUNDS || (!provesAll() && index < LIVES_MAX); index += 1) {
      for (const [rule, reads] of await oneLife(index)) held.set(rule, (held.get(rule) ?? 0) + reads);
    }
    const summary = [...held].map(([rule, reads]) => `"${rule}" held for ${reads} reads`);
    console.info(
      `${ROUNDS} times an image replaced, one analyzed anew and the link issued anew, and every report discarded at last: ${summary.join(', ')}`,
    );
    // Otherwise no read happened at the right time and the test proves nothing.
    expect(provesAll()).toBe(true);
  },
  (ROUNDS + LIVES_MAX) * 180_000,
);
