import { eventually } from '@tire/test-harness';
import { tokenDigest } from '../links/link.store';
import { contentFixture } from '../page/content.fixture';
import { analysisEnded, contentReady, publishedReport, type RunningShare, startOwnShare, stateOf } from '../testing/service.fixture';
import { PublicationService } from './publication.service';
import { ShareController } from './share.controller';

describe('a publication while the ledger is unavailable between two of its steps', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());
  afterEach(() => share.peers.silent.clear());

  const page = async (token: string) => share.app.inject({ method: 'GET', url: `/r/${token}` });
  const shares = () => share.app.get(ShareController);

  it('keeps a reissue whose answer the ledger did not take: its event has the link, and the ledger can request it', async () => {
    const { ended } = await publishedReport(share);
    const { projectId, reportId } = ended;
    const report = { projectId, reportId };
    share.peers.silent.add('publication');
    await expect(shares().reissueShare(report)).rejects.toMatchObject({ code: 'service_unavailable' });
    share.peers.silent.clear();
    const { version, shareToken } = await shares().getPublication(report);
    const digest = tokenDigest(shareToken!);
    const told = await eventually(() => share.changes(ended.reportId).find(({ linkDigest }) => linkDigest?.equals(digest)));
    expect(told.version).toBe(version);
    expect((await page(ended.shareToken)).statusCode).toBe(410);
    expect((await page(shareToken!)).statusCode).toBe(200);
    // A repetition is a reissue of its own, with a later version.
    const { share: again } = await shares().reissueShare(report);
    expect(share.peers.applied.at(-1)!.version).toBeGreaterThan(version);
    expect((await page(again!.shareUrl!.split('/').at(-1)!)).statusCode).toBe(200);
  });

  it('publishes after the ledger was unavailable between the end of an analysis and its content', async () => {
    const ended = analysisEnded();
    share.peers.silent.add('state of a publication');
    await expect(share.app.get(PublicationService).analysisEnded(ended)).rejects.toMatchObject({ code: 'service_unavailable' });
    const ready = contentReady(ended, { analysisRevision: ended.analysisRevision });
    await share.app.get(PublicationService).contentGenerated(ready);
    expect(share.changes(ended.reportId)).toEqual([]);
    share.peers.silent.clear();
    const { analysisRevision, contentRevision } = ready;
    share.peers.reports.set(ended.reportId, stateOf(ended, { analysisRevision, contentRevision }));
    const content = contentFixture({ report_id: ended.reportId, content_revision: contentRevision });
    share.peers.documents.set(contentRevision, JSON.stringify(content));
    await share.app.get(PublicationService).analysisEnded(ended);
    const published = await eventually(() =>
      share.changes(ended.reportId).find(({ publicationStatus }) => publicationStatus === 'published'),
    );
    expect(published.analysisRevision).toBe(ended.analysisRevision);
    expect((await page(ended.shareToken)).statusCode).toBe(200);
  });
});
