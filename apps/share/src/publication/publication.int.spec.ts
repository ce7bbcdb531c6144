import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { tokenDigest } from '../links/link.store';
import { PublicationService } from './publication.service';
import { ShareController } from './share.controller';
import {
  analysisEnded,
  contentIncomplete,
  contentReady,
  discardOf,
  PROJECT,
  publishedReport,
  type RunningShare,
  startOwnShare,
  stateOf,
} from '../testing/service.fixture';

const tokenOf = (url: string): string => url.split('/').at(-1)!;

describe('publication and the share page', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());

  const changes = (reportId: string, count: number) =>
    eventually(() => share.changes(reportId).length >= count && share.changes(reportId), {
      message: `Fewer than ${count} changes of the publication`,
    });

  const page = async (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}` });
  const named = ({ projectId, reportId }: { projectId: string; reportId: string }) => ({ projectId, reportId });
  const shares = () => share.app.get(ShareController);
  const linkOf = async (reportId: string) => (await shares().getShare({ projectId: PROJECT, reportId })).share!;

  it('is unpublished when its first analysis ends and published with its content', async () => {
    const ended = analysisEnded();
    await share.analysisEnded(ended);
    const [first] = await changes(ended.reportId, 1);
    expect(first).toMatchObject({ version: 1, publicationStatus: 'unpublished', linkDigest: tokenDigest(ended.shareToken) });
    expect(Date.parse(first!.linkExpiresAt!) - Date.parse(ended.createdAt)).toBe(90 * 86_400_000);
    const ready = contentReady(ended, { analysisRevision: ended.analysisRevision });
    await share.contentGenerated(ready);
    const published = (await changes(ended.reportId, 2))[1];
    expect(published).toMatchObject({ version: 2, publicationStatus: 'published', analysisRevision: ended.analysisRevision });
    expect(Date.parse(published?.publishedAt ?? '')).not.toBeNaN();
  });

  it('loses no publication if content arrives before its report', async () => {
    const ended = analysisEnded();
    const ready = contentReady(ended);
    await share.contentGenerated(ready);
    await eventually(async () => {
      const { rows } = await share.owner.query<{ status: string }>('SELECT status FROM publications WHERE report_id = $1', [
        ended.reportId,
      ]);
      return rows[0]?.status === 'held';
    });
    await share.analysisEnded(ended);
    expect((await changes(ended.reportId, 1))[0]).toMatchObject({ version: 2, publicationStatus: 'published' });
  });

  it('returns the same version for each repetition', async () => {
    const ended = analysisEnded();
    const ready = contentReady(ended);
    await share.analysisEnded(ended);
    await changes(ended.reportId, 1);
    await share.contentGenerated(ready);
    await changes(ended.reportId, 2);
    await Promise.all([share.analysisEnded(ended), share.contentGenerated(ready), share.contentGenerated(ready)]);
    const received = await changes(ended.reportId, 5);
    expect(received.slice(2).map(({ version, publicationStatus }) => [version, publicationStatus])).toEqual(
      Array(3).fill([2, 'published']),
    );
    const { rows } = await share.owner.query('SELECT 1 FROM share_links WHERE report_id = $1', [ended.reportId]);
    expect(rows).toHaveLength(1);
  });

  it('is revoked when a re-analysis fails the requirements, and published again after a good one', async () => {
    const { ended } = await publishedReport(share);
    const seen = (await changes(ended.reportId, 1)).length;
    await share.contentGenerated(contentIncomplete(ended));
    expect((await changes(ended.reportId, seen + 1)).at(-1)).toMatchObject({ version: 3, publicationStatus: 'revoked' });
    await share.contentGenerated(contentReady(ended));
    expect((await changes(ended.reportId, seen + 2)).at(-1)).toMatchObject({ version: 4, publicationStatus: 'published' });
  });

  it('shows the report, its images by signed address, and allows no scripts', async () => {
    const { ended } = await publishedReport(share);
    const response = await page(ended.shareToken);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('6.2mm');
    expect(response.body).toContain(`${share.peers.imagesOrigin}/`);
    expect(response.body).toContain('?signature=1');
    expect(response.headers['content-security-policy']).toContain(`img-src ${share.peers.imagesOrigin}`);
    expect(await linkOf(ended.reportId)).toMatchObject({
      status: 'active',
      shareUrl: `https://share.example.com/r/${ended.shareToken}`,
    });
  });

  it('is closed during a re-analysis, and open again after it', async () => {
    const { ended, ready } = await publishedReport(share);
    share.peers.reports.set(ended.reportId, stateOf(ended, { analysisStatus: 'processing' }));
    expect((await page(ended.shareToken)).statusCode).toBe(403);
    expect(await linkOf(ended.reportId)).toMatchObject({ status: 'closed' });
    share.peers.reports.set(ended.reportId, stateOf(ended, { contentRevision: newId() }));
    expect((await page(ended.shareToken)).statusCode).toBe(403);
    share.peers.reports.set(ended.reportId, stateOf(ended, { contentRevision: ready.contentRevision }));
    expect((await page(ended.shareToken)).statusCode).toBe(200);
    share.peers.reports.delete(ended.reportId);
    expect((await page(ended.shareToken)).statusCode).toBe(410);
  });

  it.each([
    ['partial', 403, '다시 찍어야 할 사진이 있습니다'],
    ['failed', 403, '결과를 만들지 못했습니다'],
    ['awaiting_images', 403, '사진을 기다리고 있습니다'],
    ['processing', 403, '아직 볼 수 없는 페이지입니다'],
  ])('states why it is closed when the analysis is %s, before and after publication', async (analysisStatus, status, title) => {
    const { ended } = await publishedReport(share);
    const unheard = analysisEnded();
    for (const report of [ended, unheard]) {
      share.peers.reports.set(report.reportId, stateOf(report, { analysisStatus }));
      const response = await page(report.shareToken);
      expect([response.statusCode, response.body.includes(`<h1>${title}</h1>`)]).toEqual([status, true]);
      // This sentence is the same for every report, so it reveals nothing about this one.
      expect(response.body.replace('타이어가 안전하다는 뜻은 아닙니다', '')).not.toMatch(/타이어|12가/);
    }
  });

  it('states that a legacy report has no page', async () => {
    const ended = analysisEnded();
    share.peers.reports.set(ended.reportId, stateOf(ended, { legacy: true }));
    const response = await page(ended.shareToken);
    expect([response.statusCode, response.body.includes('공유 페이지가 없습니다')]).toEqual([404, true]);
  });

  it.each([
    ['expires_at', 410, 'expired'],
    ['revoked_at', 410, 'revoked'],
  ])('with %s in the past the page returns %s', async (column, status, link) => {
    const { ended } = await publishedReport(share);
    await share.owner.query(`UPDATE share_links SET ${column} = now() - interval '1 minute' WHERE report_id = $1`, [ended.reportId]);
    const response = await page(ended.shareToken);
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toContain('타이어');
    expect(await linkOf(ended.reportId)).toMatchObject({ status: link });
  });

  it.each([')', '.', ').', ',', '/', encodeURIComponent('를')])('opens if a messenger appended %s to the address', async (tail) => {
    const { ended } = await publishedReport(share);
    expect((await page(`${ended.shareToken}${tail}`)).statusCode).toBe(200);
    expect((await page(`${ended.shareToken}x${tail}`)).statusCode).toBe(404);
  });

  it.each(['', '/', '//', '/a-token-and-a-slash/', '/a/b', '/.pdf', '/a/b.pdf', '/abc%E', '/abc%', '/%E0%A4%A.pdf'])(
    'shows a page to a person at /r%s too',
    async (path) => {
      const response = await share.app.inject({ method: 'GET', url: `/r${path}` });
      expect([response.statusCode, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(response.body).toContain('페이지를 찾을 수 없습니다');
    },
  );

  it("shows 'not yet' at the address of an unknown report, and returns its share record", async () => {
    const ended = analysisEnded();
    share.peers.reports.set(ended.reportId, stateOf(ended, { analysisStatus: 'awaiting_images' }));
    const response = await page(ended.shareToken);
    expect(response.statusCode).toBe(403);
    const record = await linkOf(ended.reportId);
    expect(record).toMatchObject({
      status: 'closed',
      shareUrl: `https://share.example.com/r/${ended.shareToken}`,
      createdAt: ended.createdAt,
    });
    expect((await page(ended.shareToken)).statusCode).toBe(403);
  });

  it('publishes a report that meets the requirements, updates the ledger first, and refuses other reports', async () => {
    const { ended, ready } = await publishedReport(share);
    const published = await shares().publishReport(named(ended));
    expect(published).toMatchObject({ publicationStatus: 'published', shareUrl: `https://share.example.com/r/${ended.shareToken}` });
    expect(share.peers.applied.at(-1)).toMatchObject({ reportId: ended.reportId, version: 2, publishedAt: published.publishedAt });

    const next = contentReady(ended);
    share.peers.reports.set(
      ended.reportId,
      stateOf(ended, { analysisRevision: next.analysisRevision, contentRevision: next.contentRevision }),
    );
    expect(await shares().publishReport(named(ended))).toMatchObject({ publicationStatus: 'published' });
    expect(share.peers.applied.at(-1)).toMatchObject({ version: 3, analysisRevision: next.analysisRevision });

    for (const analysisStatus of ['awaiting_images', 'processing', 'partial', 'failed']) {
      share.peers.reports.set(ended.reportId, stateOf(ended, { analysisStatus, contentRevision: ready.contentRevision }));
      await expect(shares().publishReport(named(ended))).rejects.toMatchObject({ code: 'publish_requirements_unmet' });
    }
    share.peers.reports.set(ended.reportId, stateOf(ended, { legacy: true }));
    await expect(shares().publishReport(named(ended))).rejects.toMatchObject({ code: 'publish_requirements_unmet' });
  });

  it('returns no address after the link has expired, but the share record still has it', async () => {
    const { ended } = await publishedReport(share);
    await share.owner.query(`UPDATE share_links SET expires_at = now() - interval '1 minute' WHERE report_id = $1`, [ended.reportId]);
    expect(await shares().publishReport(named(ended))).toMatchObject({ publicationStatus: 'published', shareUrl: undefined });
    const shareUrl = `https://share.example.com/r/${ended.shareToken}`;
    expect(await linkOf(ended.reportId)).toMatchObject({ status: 'expired', shareUrl });
  });

  it('is not published while its content is being generated, which is no error', async () => {
    const ended = analysisEnded();
    share.peers.reports.set(ended.reportId, stateOf(ended, { analysisRevision: ended.analysisRevision }));
    expect(await shares().publishReport(named(ended))).toMatchObject({ publicationStatus: 'unpublished', publishedAt: undefined });
  });

  it('revokes a link permanently and opens the page at the next one', async () => {
    const { ended } = await publishedReport(share);
    const { share: revoked } = await shares().revokeShare(named(ended));
    expect(revoked).toMatchObject({ status: 'revoked', shareUrl: undefined });
    expect(share.peers.applied.at(-1)).toMatchObject({ reportId: ended.reportId, publicationStatus: 'published' });
    expect(share.peers.applied.at(-1)!.shareToken).toBeUndefined();
    expect((await shares().revokeShare(named(ended))).share).toEqual(revoked);
    expect((await page(ended.shareToken)).statusCode).toBe(410);

    const first = (await shares().reissueShare(named(ended))).share!;
    expect(first).toMatchObject({ status: 'active', revokedAt: undefined });
    const second = (await shares().reissueShare(named(ended))).share!;
    expect(share.peers.applied.at(-1)!.shareToken).toBe(tokenOf(second.shareUrl!));
    const opened = await Promise.all([ended.shareToken, tokenOf(first.shareUrl!), tokenOf(second.shareUrl!)].map(page));
    expect(opened.map(({ statusCode }) => statusCode)).toEqual([410, 410, 200]);
    expect(await linkOf(ended.reportId)).toEqual(second);
  });

  it('reissues a link that it has lost: that of the creation does not open, and the lost one does', async () => {
    const { ended } = await publishedReport(share);
    const shareToken = randomBytes(32).toString('base64url');
    const { share: reissued } = await shares().reissueShare({ ...named(ended), shareToken });
    expect(tokenOf(reissued!.shareUrl!)).toBe(shareToken);
    expect(await Promise.all([ended.shareToken, shareToken].map(async (token) => (await page(token)).statusCode))).toEqual([410, 200]);
  });

  it('revokes and reissues the link of a known report whose first link the ledger cannot open', async () => {
    const { ended } = await publishedReport(share);
    await share.owner.query(`UPDATE share_links SET token = '\\x00' WHERE report_id = $1`, [ended.reportId]);
    share.peers.reports.set(ended.reportId, { ...share.peers.reports.get(ended.reportId)!, registration: undefined });
    const { share: reissued } = await shares().reissueShare(named(ended));
    expect(reissued).toMatchObject({ status: 'active' });
    expect(share.peers.applied.at(-1)!.shareToken).toBe(tokenOf(reissued!.shareUrl!));
    expect(
      await Promise.all([ended.shareToken, tokenOf(reissued!.shareUrl!)].map(async (token) => (await page(token)).statusCode)),
    ).toEqual([410, 200]);
    expect((await shares().revokeShare(named(ended))).share).toMatchObject({ status: 'revoked' });
  });

  it('fails for an unknown report whose link the ledger cannot open, and keeps its event until the link opens', async () => {
    const ended = analysisEnded();
    share.peers.reports.set(
      ended.reportId,
      stateOf(ended, { analysisRevision: newId(), contentRevision: newId(), registration: undefined }),
    );
    for (const call of [() => shares().getShare(named(ended)), () => shares().publishReport(named(ended))]) {
      await expect(call()).rejects.toMatchObject({ code: 'internal_error' });
    }
    for (const call of [() => shares().revokeShare(named(ended)), () => shares().reissueShare(named(ended))]) {
      await expect(call()).rejects.not.toMatchObject({ code: expect.stringMatching(/discarded|found/) });
    }
    await expect(share.app.get(PublicationService).analysisEnded(ended)).rejects.toThrow('cannot open the link');
    share.peers.reports.set(ended.reportId, stateOf(ended));
    await share.app.get(PublicationService).analysisEnded(ended);
    expect((await changes(ended.reportId, 1)).at(-1)).toMatchObject({ linkDigest: tokenDigest(ended.shareToken) });
  });

  it('uses the valid link if the clock of another process is ahead', async () => {
    const { ended } = await publishedReport(share);
    const report = named(ended);
    await share.owner.query(`UPDATE share_links SET created_at = now() + interval '1 hour' WHERE report_id = $1`, [ended.reportId]);
    const { share: reissued } = await shares().reissueShare(report);
    expect(await linkOf(ended.reportId)).toEqual(reissued);
    expect((await page(tokenOf(reissued!.shareUrl!))).statusCode).toBe(200);
    expect((await shares().revokeShare(report)).share).toMatchObject({ status: 'revoked', shareUrl: undefined });
    expect((await page(tokenOf(reissued!.shareUrl!))).statusCode).toBe(410);
  });

  it('forgets a report whose link the ledger does not know any more', async () => {
    const { ended } = await publishedReport(share);
    for (const report of [ended, analysisEnded(), ended]) {
      await shares().discardReport({ ...named(report), shareTokenDigest: Buffer.alloc(0), createdAt: '' });
      expect(await shares().getPublication(named(report))).toEqual({ version: 0, publicationStatus: 'discarded' });
    }
    const { rows } = await share.owner.query('SELECT token FROM share_links WHERE report_id = $1', [ended.reportId]);
    expect(rows).toEqual([{ token: null }]);
  });

  it('keeps only a notice page for a discarded report, also for an unknown one', async () => {
    const { ended, ready } = await publishedReport(share);
    const reissued = tokenOf((await shares().reissueShare(named(ended))).share!.shareUrl!);
    const unheard = analysisEnded();
    for (const report of [ended, unheard, ended]) {
      share.peers.closed.set(report.reportId, 'report_discarded');
      await shares().discardReport(discardOf(report));
    }
    for (const token of [ended.shareToken, reissued, unheard.shareToken]) {
      const response = await page(token);
      expect(response.statusCode).toBe(410);
      expect(response.body).toContain('삭제된 페이지');
    }
    expect(await shares().getPublication(named(ended))).toEqual({ version: 0, publicationStatus: 'discarded' });
    const { rows } = await share.owner.query(`SELECT token FROM share_links WHERE report_id = $1`, [ended.reportId]);
    expect(rows).toEqual([{ token: null }, { token: null }]);
    for (const call of [shares().publishReport(named(ended)), shares().revokeShare(named(ended)), shares().reissueShare(named(ended))]) {
      await expect(call).rejects.toMatchObject({ code: 'report_discarded' });
    }
    await expect(shares().getShare(named(ended))).rejects.toMatchObject({ code: 'not_found' });

    const received = share.changes(ended.reportId).length;
    share.peers.closed.delete(ended.reportId);
    await share.analysisEnded(ended);
    await share.contentGenerated({ ...ready, analysisRevision: newId() });
    // Calls that raced with the discard: they read the record before it.
    await expect(shares().reissueShare(named(ended))).rejects.toMatchObject({ code: 'report_discarded' });
    await expect(shares().getShare(named(ended))).rejects.toMatchObject({ code: 'not_found' });
    const other = await publishedReport(share);
    await changes(other.ended.reportId, 1);
    expect(share.changes(ended.reportId)).toHaveLength(received);
  });

  it('is not found over gRPC for another project', async () => {
    const { ended } = await publishedReport(share);
    const elsewhere = { projectId: newId(), reportId: ended.reportId };
    await expect(shares().getShare(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(shares().reissueShare(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  });
});
