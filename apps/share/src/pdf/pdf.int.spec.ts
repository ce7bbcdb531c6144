import { newId } from '@tire/kernel';
import { eventually, testClock } from '@tire/test-harness';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { contentFixture } from '../page/content.fixture';
import { KOREAN } from '../page/words/words-ko';
import { ShareController } from '../publication/share.controller';
import { readPdf } from '../testing/pdf.fixture';
import { contentReady, discardOf, publishedReport, type RunningShare, startOwnShare, stateOf } from '../testing/service.fixture';

const DAYS_91_MS = 91 * 86_400_000;
const PDFS_AT_ONCE = 2;
/** Reports of one project that are made or wait at most: one that has its turn, and eight that wait. */
const OF_PROJECT_MAX = 1 + 8;
const INCOMPLETE_MS = 10_000;

describe('the PDF at the address of a share link', () => {
  const clock = testClock(new Date());
  let share: RunningShare;
  let store: Server;
  let origin: string;
  let jpeg: Buffer;
  /** Requests for images that wait until the test answers them. */
  let held: ServerResponse[] = [];
  let requested: string[] = [];

  beforeAll(async () => {
    jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#556677' } })
      .jpeg()
      .toBuffer();
    store = createServer((request, response) => {
      const path = request.url ?? '';
      requested.push(path);
      if (path.startsWith('/held')) held.push(response);
      else if (path.startsWith('/image')) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg);
      else if (path.startsWith('/broken')) response.writeHead(200).end('no image at all');
      else if (path.startsWith('/elsewhere')) response.writeHead(302, { location: `${origin}/image` }).end();
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    share = await startOwnShare({ clock, pdfsAtOnce: PDFS_AT_ONCE });
  });
  afterAll(async () => {
    store?.closeAllConnections();
    store?.close();
    await share?.close();
  });
  beforeEach(() => {
    held = [];
    requested = [];
    clock.setTo(new Date());
  });

  const pdf = (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}.pdf` });
  const page = (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}` });
  const release = () => held.splice(0).forEach((response) => response.writeHead(200).end(jpeg));
  const textOf = async (bytes: Buffer) => (await readPdf(bytes)).map(({ text }) => text).join(' ');

  /** A report with images of its own, each at one of these paths. */
  async function withImages(tread = '/image', sidewall = '/image', projectId?: string) {
    const [treadId, sidewallId] = [newId(), newId()];
    share.peers.images.set(treadId, `${origin}${tread}?${treadId}`);
    share.peers.images.set(sidewallId, `${origin}${sidewall}?${sidewallId}`);
    const { tread_overlays, sidewall_specs } = contentFixture().render_data;
    const named = <T extends { asset: object }>(one: T, asset_id: string) => ({ ...one, asset: { ...one.asset, asset_id } });
    const render_data = {
      tread_overlays: tread_overlays.map((one) => named(one, treadId)),
      sidewall_specs: sidewall_specs.map((one) => named(one, sidewallId)),
    };
    return publishedReport(share, { render_data } as Parameters<typeof publishedReport>[1], projectId);
  }

  /** The report is open again, with another headline. */
  async function measuredAnew(ended: Awaited<ReturnType<typeof publishedReport>>['ended']) {
    const contentRevision = newId();
    const overall = { ...contentFixture().overall!, headline: '새로 측정했습니다.' };
    share.peers.documents.set(contentRevision, JSON.stringify(contentFixture({ content_revision: contentRevision, overall })));
    const analysisRevision = newId();
    share.peers.reports.set(ended.reportId, stateOf(ended, { analysisRevision, contentRevision }));
    await share.contentGenerated(contentReady(ended, { analysisRevision, contentRevision }));
    await eventually(async () => (await page(ended.shareToken)).statusCode === 200);
  }

  it('contains the report and its images, is linked from its page, and may not be cached', async () => {
    const { ended } = await withImages();
    const { statusCode, headers, rawPayload } = await pdf(ended.shareToken);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(rawPayload.length),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringMatching(/^inline; filename="tire-report-2026-10-01\.pdf"; filename\*=UTF-8''%ED%83%80[%\w.-]+$/),
    });
    const pages = await readPdf(rawPayload);
    expect(pages.map(({ text }) => text).join(' ')).toContain('타이어 상태가 양호합니다.');
    expect(pages.reduce((sum, { images }) => sum + images, 0)).toBe(2);
    expect(rawPayload.length).toBeLessThan(300_000);
    expect((await page(ended.shareToken)).body).toContain(`href="https://share.example.com/r/${ended.shareToken}.pdf"`);
  });

  it('requests small derivatives only, and embeds their bytes without decoding them', async () => {
    const { ended } = await withImages();
    const { rawPayload } = await pdf(ended.shareToken);
    expect(rawPayload.includes(jpeg)).toBe(true);
    expect(requested.map((path) => path.endsWith('&small'))).toEqual([true, true]);
  });

  it('is created once for concurrent requests', async () => {
    const { ended } = await withImages('/held');
    const answers = Promise.all([1, 2, 3].map(() => pdf(ended.shareToken)));
    await eventually(() => held.length > 0);
    release();
    const bodies = (await answers).map(({ rawPayload }) => rawPayload);
    const later = await pdf(ended.shareToken);
    expect([later.rawPayload, ...bodies.slice(1)].every((body) => body.equals(bodies[0]!))).toBe(true);
    expect(requested).toHaveLength(2);
  });

  it('is created again for changed content', async () => {
    const { ended } = await withImages();
    const before = await textOf((await pdf(ended.shareToken)).rawPayload);
    await measuredAnew(ended);
    expect(before).not.toContain('새로 측정했습니다.');
    expect(await textOf((await pdf(ended.shareToken)).rawPayload)).toContain('새로 측정했습니다.');
  });

  it('says which photograph could not be read, and of which the time is over', async () => {
    const { ended } = await withImages('/missing', '/image');
    share.peers.ended.add(ended.reportId);
    const sidewallId = [...share.peers.images.keys()].at(-1)!;
    share.peers.unsigned.add(sidewallId);
    const text = (await textOf((await pdf(ended.shareToken)).rawPayload)).replace(/\s+/g, ' ');
    share.peers.unsigned.delete(sidewallId);
    expect([text.includes(KOREAN.imageNotRead), text.split(KOREAN.imageEnded.split(' ')[0]!).length]).toEqual([true, 2]);
  });

  it.each(['/missing', '/broken', '/elsewhere'])(
    'shows a notice for an unreadable photograph (%s), and requests it again after some seconds and not before',
    async (path) => {
      const { ended } = await withImages(path);
      const { statusCode, rawPayload } = await pdf(ended.shareToken);
      expect(statusCode).toBe(200);
      const pages = await readPdf(rawPayload);
      expect(pages.map(({ text }) => text).join(' ')).toContain(KOREAN.imageNotRead);
      expect(pages.reduce((sum, { images }) => sum + images, 0)).toBe(1);
      const before = requested.length;
      expect((await pdf(ended.shareToken)).rawPayload.equals(rawPayload)).toBe(true);
      expect(requested.length).toBe(before);
      clock.advanceMs(INCOMPLETE_MS);
      await pdf(ended.shareToken);
      expect(requested.length).toBe(2 * before);
    },
  );

  it('answers 503 to the visitors of a project that floods it, and serves those of other projects meanwhile', async () => {
    const reports = await Promise.all(Array.from({ length: OF_PROJECT_MAX + 1 }, () => withImages('/held')));
    const tokens = reports.map(({ ended }) => ended.shareToken);
    const waiting = tokens.slice(0, OF_PROJECT_MAX).map((token) => pdf(token));
    await eventually(() => held.length === 1);
    const refused = await eventually(async () => {
      const answer = await pdf(tokens[OF_PROJECT_MAX]!);
      return answer.statusCode === 503 && answer;
    });
    expect([refused.headers['retry-after'], refused.headers['content-type']]).toEqual(['3', 'text/html; charset=utf-8']);
    expect(refused.body).toContain('잠시 후 다시 열어 주세요.');
    expect((await page(tokens[OF_PROJECT_MAX]!)).statusCode).toBe(200);
    const { ended } = await withImages('/image', '/image', newId());
    expect((await pdf(ended.shareToken)).statusCode).toBe(200);
    expect(held).toHaveLength(1);
    const releasing = setInterval(release, 10);
    const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
    clearInterval(releasing);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  /** Ways to close an open report. */
  type Report = Awaited<ReturnType<typeof publishedReport>>['ended'];
  const shares = () => share.app.get(ShareController);
  const CLOSING: [string, number, (report: Report) => Promise<unknown>][] = [
    ['processing', 403, async (report) => share.peers.reports.set(report.reportId, stateOf(report, { analysisStatus: 'processing' }))],
    ['revoked', 410, (report) => shares().revokeShare(report)],
    ['expired', 410, async () => clock.advanceMs(DAYS_91_MS)],
    ['discarded', 410, (report) => shares().discardReport(discardOf(report))],
  ];

  it.each(CLOSING)('a %s link returns %i like the page, although the PDF exists', async (_, status, close) => {
    const { ended } = await withImages();
    expect((await pdf(ended.shareToken)).statusCode).toBe(200);
    await close(ended);
    const [answer, pageAnswer] = [await pdf(ended.shareToken), await page(ended.shareToken)];
    expect(answer.statusCode).toBe(status);
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      pageAnswer.statusCode,
      pageAnswer.body,
      pageAnswer.headers['content-type'],
    ]);
    expect(answer.body).not.toContain('타이어');
  });

  it.each(CLOSING)('a link that is %s during the creation of its PDF does not return it', async (_, status, close) => {
    const { ended } = await withImages('/held');
    const answer = pdf(ended.shareToken);
    await eventually(() => held.length > 0);
    await close(ended);
    release();
    expect((await answer).statusCode).toBe(status);
  });

  it('answers 503 if the content changed during the creation of the PDF', async () => {
    const { ended } = await withImages('/held');
    const answer = pdf(ended.shareToken);
    await eventually(() => held.length > 0);
    await measuredAnew(ended);
    release();
    const { statusCode, headers } = await answer;
    expect([statusCode, headers['retry-after']]).toEqual([503, '3']);
    const { statusCode: next, rawPayload } = await pdf(ended.shareToken);
    expect(next).toBe(200);
    expect(await textOf(rawPayload)).toContain('새로 측정했습니다.');
  });

  it('is found if a messenger appended text to its address', async () => {
    const { ended } = await withImages();
    const { statusCode, headers } = await share.app.inject({ method: 'GET', url: `/r/${ended.shareToken}.pdf).` });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  it.each(['A'.repeat(43), 'short', '..%2f..%2fetc', 'a'.repeat(500), '.pdf'])('rejects the token %s', async (token) => {
    const { statusCode, body } = await pdf(token);
    expect([400, 404, 414]).toContain(statusCode);
    expect(body).not.toContain('타이어');
  });
});
