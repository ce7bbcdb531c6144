import { DomainError, newId } from '@tire/kernel';
import { eventually, testClock } from '@tire/test-harness';
import { brotliDecompressSync } from 'node:zlib';
import { contentFixture } from './content.fixture';
import { contentReady, publishedReport, type RunningShare, startOwnShare, stateOf } from '../testing/service.fixture';

const INCOMPLETE_AGAIN_MS = 3_000;

describe('a share page', () => {
  const clock = testClock(new Date());
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare({ clock })));
  afterAll(() => share?.close());
  beforeEach(() => {
    clock.setTo(new Date());
    share.peers.meanwhile.signing = () => undefined;
    share.peers.meanwhile.deciding = () => Promise.resolve();
  });

  const page = async (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}` });

  it.each(['card.png', 'card-en.png'])('has the preview image %s for all pages, which messengers may cache', async (card) => {
    const { statusCode, headers, rawPayload } = await page(card);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' });
    expect(rawPayload.subarray(1, 4).toString()).toBe('PNG');
  });

  it.each(['short', 'not-as-long-as-a-token', '..%2f..%2fetc', '%00', 'a'.repeat(43), 'a'.repeat(500)])(
    'rejects the token %s without a request to another service',
    async (token) => {
      const response = await page(token);
      expect([400, 404, 414]).toContain(response.statusCode);
      expect(response.body).not.toContain('타이어');
      expect(share.peers.tokens.filter((requested) => token.startsWith(requested))).toEqual([]);
    },
  );

  it('checks with the ledger whether a well-formed token was minted', async () => {
    const { statusCode, body } = await page('A'.repeat(43));
    expect([statusCode, body.includes('타이어')]).toEqual([404, false]);
    expect(share.peers.tokens).toContain('A'.repeat(43));
  });

  it('is rendered once for visitors in quick succession, and each view checks the link', async () => {
    const { ended, ready } = await publishedReport(share);
    const { signed, reports } = share.peers;
    const before = signed.length;
    const views = await Promise.all(Array.from({ length: 5 }, () => page(ended.shareToken)));
    const signedNow = signed.slice(before);
    expect(new Set(signedNow).size).toBe(signedNow.length);
    expect([...views, await page(ended.shareToken)].map(({ body }) => body)).toEqual(Array(6).fill(views[0]!.body));
    reports.set(ended.reportId, stateOf(ended, { analysisStatus: 'processing' }));
    expect((await page(ended.shareToken)).statusCode).toBe(403);
    reports.set(ended.reportId, stateOf(ended, { contentRevision: ready.contentRevision }));
    expect((await page(ended.shareToken)).body).toBe(views[0]!.body);
    expect(signed).toHaveLength(before + signedNow.length);
  });

  it('reads its content once, while the ledger decides at the first view, and no more for a minute', async () => {
    const { ended, ready } = await publishedReport(share);
    const { read, meanwhile } = share.peers;
    const readNow = () => read.filter((revision) => revision === ready.contentRevision).length;
    meanwhile.deciding = () => eventually(async () => readNow() === 1);
    expect([(await page(ended.shareToken)).statusCode, readNow()]).toEqual([200, 1]);
    expect([(await page(ended.shareToken)).statusCode, readNow()]).toEqual([200, 1]);
    clock.advanceMs(60_001);
    meanwhile.deciding = () => eventually(async () => readNow() === 2);
    expect([(await page(ended.shareToken)).statusCode, readNow()]).toEqual([200, 2]);
  });

  it('that the ledger closes shows nothing of the content that was read meanwhile, or that could not be read', async () => {
    for (const isReadable of [true, false]) {
      const { ended, ready } = await publishedReport(share);
      const { read, meanwhile, documents, reports } = share.peers;
      if (!isReadable) documents.delete(ready.contentRevision);
      reports.set(ended.reportId, stateOf(ended, { analysisStatus: 'processing' }));
      meanwhile.deciding = () => eventually(async () => read.includes(ready.contentRevision));
      const { statusCode, body } = await page(ended.shareToken);
      expect([statusCode, body.includes('class="verdict'), body.includes('12가')]).toEqual([403, false, false]);
      reports.set(ended.reportId, stateOf(ended, { contentRevision: ready.contentRevision }));
      expect((await page(ended.shareToken)).statusCode).toBe(isReadable ? 200 : 503);
    }
  });

  it('is sent compressed to a browser that takes it, with the same bytes', async () => {
    const { ended } = await publishedReport(share);
    const plain = await page(ended.shareToken);
    const [compressed, ...declined] = await Promise.all(
      ['gzip, deflate, br;q=0.5', 'gzip', 'gzip, br;q=0', 'br ; q=0.0, *', 'gzip, brand'].map((accepted) =>
        share.app.inject({ method: 'GET', url: `/r/${ended.shareToken}`, headers: { 'accept-encoding': accepted } }),
      ),
    );
    for (const { headers, rawPayload } of [plain, ...declined]) {
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
      expect(rawPayload.equals(plain.rawPayload)).toBe(true);
    }
    expect(compressed!.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(compressed!.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(brotliDecompressSync(compressed!.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(compressed!.headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
  });

  it('says that a report of the sandbox holds sample values', async () => {
    const { ended } = await publishedReport(share);
    share.peers.samples.add(ended.reportId);
    expect((await page(ended.shareToken)).body).toContain('class="samples"');
    share.peers.samples.delete(ended.reportId);
    expect((await page(ended.shareToken)).body).not.toContain('class="samples"');
  });

  it('omits an image without an address, is rendered once for many visitors, and shows the image soon after it has an address', async () => {
    const { ended } = await publishedReport(share);
    const { signed, unsigned } = share.peers;
    const before = signed.length;
    const images = async () => (await page(ended.shareToken)).body.split('<img').length - 1;
    const all = await images();
    const revision = contentReady(ended, { contentRevision: newId() });
    share.peers.documents.set(revision.contentRevision, JSON.stringify(contentFixture({ content_revision: revision.contentRevision })));
    share.peers.reports.set(ended.reportId, stateOf(ended, revision));
    unsigned.add(signed[before]!);
    await share.contentGenerated(revision);
    expect(await eventually(async () => (await page(ended.shareToken)).statusCode === 200 && images())).toBe(all - 1);
    await eventually(async () => {
      const signedBefore = signed.length;
      return (await images()) === all - 1 && signed.length === signedBefore;
    });
    unsigned.clear();
    clock.advanceMs(INCOMPLETE_AGAIN_MS);
    expect(await images()).toBe(all);
  });

  it('has a notice for an image whose time is over, which is final, and none for one that assets does not sign now', async () => {
    const { ended } = await publishedReport(share);
    const { signed, unsigned, meanwhile } = share.peers;
    share.peers.ended.add(ended.reportId);
    const notices = async () => (await page(ended.shareToken)).body.split('class="photo ended"').length - 1;
    meanwhile.signing = () => {
      throw new DomainError('service_unavailable');
    };
    expect(await notices()).toBe(0);
    meanwhile.signing = () => undefined;
    unsigned.add(signed.at(-1)!);
    clock.advanceMs(INCOMPLETE_AGAIN_MS);
    expect(await notices()).toBe(1);
    const before = signed.length;
    clock.advanceMs(INCOMPLETE_AGAIN_MS);
    expect([await notices(), signed.length]).toEqual([1, before]);
    unsigned.clear();
  });

  it('is cached for three seconds after rendering if an image is missing, otherwise for a minute after the start of rendering', async () => {
    const { ended } = await publishedReport(share);
    const { signed, unsigned, meanwhile } = share.peers;
    const isKept = async () => {
      await page(ended.shareToken);
      const signedBefore = signed.length;
      await page(ended.shareToken);
      return signed.length === signedBefore;
    };
    meanwhile.signing = () => clock.advanceMs(5_000);
    const before = signed.length;
    await page(ended.shareToken);
    const makingMs = (signed.length - before) * 5_000;
    clock.advanceMs(60_000 - makingMs);
    const signedBefore = signed.length;
    unsigned.add(signed[before]!);
    await page(ended.shareToken);
    expect(signed.length).toBeGreaterThan(signedBefore);
    await eventually(isKept);
    unsigned.clear();
  });
});
