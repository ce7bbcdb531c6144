import { newId } from '@tire/kernel';
import { createTestDatabase, eventually, freePort, startNats } from '@tire/test-harness';
import { MIGRATIONS } from './migrations';
import { contentFixture } from './page/content.fixture';
import { ShareController } from './share.controller';
import { contentIncomplete, contentReady, PROJECT, reportCreated, type RunningShare, startShare } from './testing/service.fixture';

describe('publication and the share page', () => {
  let share: RunningShare;

  beforeAll(async () => {
    const [database, nats, peersPort] = await Promise.all([
      createTestDatabase({ name: 'share', migrations: MIGRATIONS }),
      startNats(),
      freePort(),
    ]);
    share = await startShare({ database, nats, peersPort });
    await eventually(() => share.isReady());
  });
  afterAll(() => share?.close());

  const changes = (reportId: string, count: number) =>
    eventually(() => share.changes(reportId).length >= count && share.changes(reportId), {
      message: `Fewer than ${count} changes of the publication`,
    });

  const page = async (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}` });
  const linkOf = (reportId: string) => share.app.get(ShareController).getShare({ projectId: PROJECT, reportId });

  /** A report whose content is ready and which the ledger calls complete. */
  async function publishedReport() {
    const created = reportCreated();
    const ready = contentReady(created);
    const content = contentFixture({ report_id: created.reportId, content_revision: ready.contentRevision });
    share.peers.documents.set(ready.contentRevision, JSON.stringify(content));
    share.peers.reports.set(created.reportId, {
      analysisStatus: 'complete',
      analysisRevision: ready.analysisRevision,
      contentRevision: ready.contentRevision,
    });
    await share.reportCreated(created);
    await share.contentGenerated(ready);
    await eventually(async () => (await changes(created.reportId, 1)).some(({ publicationStatus }) => publicationStatus === 'published'));
    return { created, ready };
  }

  it('is unpublished at creation and published with its content', async () => {
    const created = reportCreated();
    await share.reportCreated(created);
    expect((await changes(created.reportId, 1))[0]).toMatchObject({ version: 1, publicationStatus: 'unpublished', linkActive: true });
    await share.contentGenerated(contentReady(created));
    const published = (await changes(created.reportId, 2))[1];
    expect(published).toMatchObject({ version: 2, publicationStatus: 'published' });
    expect(Date.parse(published?.publishedAt ?? '')).not.toBeNaN();
  });

  it('loses no publication when content is heard of before its report', async () => {
    const created = reportCreated();
    const ready = contentReady(created);
    await share.contentGenerated(ready);
    await eventually(async () => {
      const { rows } = await share.owner.query<{ status: string }>('SELECT status FROM publications WHERE report_id = $1', [
        created.reportId,
      ]);
      return rows[0]?.status === 'held';
    });
    await share.reportCreated(created);
    expect((await changes(created.reportId, 1))[0]).toMatchObject({ version: 2, publicationStatus: 'published' });
  });

  it('answers each repetition with the same version', async () => {
    const created = reportCreated();
    const ready = contentReady(created);
    await share.reportCreated(created);
    await changes(created.reportId, 1);
    await share.contentGenerated(ready);
    await changes(created.reportId, 2);
    await Promise.all([share.reportCreated(created), share.contentGenerated(ready), share.contentGenerated(ready)]);
    const said = await changes(created.reportId, 5);
    expect(said.slice(2).map(({ version, publicationStatus }) => [version, publicationStatus])).toEqual(Array(3).fill([2, 'published']));
    const { rows } = await share.owner.query('SELECT 1 FROM share_links WHERE report_id = $1', [created.reportId]);
    expect(rows).toHaveLength(1);
  });

  it('is revoked when a re-analysis misses the gate, and published again after a good one', async () => {
    const { created } = await publishedReport();
    const seen = (await changes(created.reportId, 1)).length;
    await share.contentGenerated(contentIncomplete(created));
    expect((await changes(created.reportId, seen + 1)).at(-1)).toMatchObject({ version: 3, publicationStatus: 'revoked' });
    await share.contentGenerated(contentReady(created));
    expect((await changes(created.reportId, seen + 2)).at(-1)).toMatchObject({ version: 4, publicationStatus: 'published' });
  });

  it('shows the report, its photographs by signed address, and lets nothing run', async () => {
    const { created } = await publishedReport();
    const response = await page(created.shareToken);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('6.2mm');
    expect(response.body).toContain(`${share.peers.imagesOrigin}/`);
    expect(response.body).toContain('?signature=1');
    expect(response.headers['content-security-policy']).toContain(`img-src ${share.peers.imagesOrigin}`);
    expect(await linkOf(created.reportId)).toMatchObject({
      status: 'active',
      shareUrl: `https://share.example.com/r/${created.shareToken}`,
    });
  });

  it('is closed while anything is measured anew, and open again after it', async () => {
    const { created, ready } = await publishedReport();
    share.peers.reports.set(created.reportId, { analysisStatus: 'processing' });
    expect((await page(created.shareToken)).statusCode).toBe(403);
    expect(await linkOf(created.reportId)).toMatchObject({ status: 'closed' });
    share.peers.reports.set(created.reportId, { analysisStatus: 'complete', contentRevision: newId() });
    expect((await page(created.shareToken)).statusCode).toBe(403);
    share.peers.reports.set(created.reportId, { analysisStatus: 'complete', contentRevision: ready.contentRevision });
    expect((await page(created.shareToken)).statusCode).toBe(200);
    share.peers.reports.delete(created.reportId);
    expect((await page(created.shareToken)).statusCode).toBe(403);
  });

  it.each([
    ['expires_at', 410, 'expired'],
    ['revoked_at', 410, 'revoked'],
  ])('with %s in the past it answers %s', async (column, status, link) => {
    const { created } = await publishedReport();
    await share.owner.query(`UPDATE share_links SET ${column} = now() - interval '1 minute' WHERE report_id = $1`, [created.reportId]);
    const response = await page(created.shareToken);
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toContain('타이어');
    expect(await linkOf(created.reportId)).toMatchObject({ status: link });
  });

  it.each(['unknown-but-well-formed-token', 'short', '..%2f..%2fetc', '%00', 'a'.repeat(500)])('knows no token %s', async (token) => {
    const response = await page(token);
    expect([400, 404, 414]).toContain(response.statusCode);
    expect(response.body).not.toContain('타이어');
  });

  it('is not found over gRPC for another project', async () => {
    const { created } = await publishedReport();
    const refused = share.app.get(ShareController).getShare({ projectId: newId(), reportId: created.reportId });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });
});
