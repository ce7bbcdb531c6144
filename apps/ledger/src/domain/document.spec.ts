import { AnalysisRevisionSnapshot, CreateReportResponse, RegisterImagesResponse, Report as ReportDocument } from '@tire/contracts/api';
import { creationAnswer, registrationAnswer, slotsWithoutAsset } from './answers';
import { FAILED, NOW, TREADS, analyzed, created, judged, opened, reportStates, served, snapshotOf, tokenOf } from './report.fixture';
import { analysisStatus } from './status';

const openStates = Object.entries(reportStates()).flatMap(([name, state]) =>
  state.lifecycle === 'open' ? [[name, state.report] as const] : [],
);

describe('report.v1', () => {
  it.each(openStates)('is valid when %s', (_, report) => {
    const document = ReportDocument.parse(served(report));
    expect(document).toEqual(served(report));
    expect(document.analysis_status).toBe(analysisStatus(report));
    expect(document.slots).toHaveLength(4);
    for (const slot of document.slots) expect(slot.status).toBe(slot.analysis.status);
  });

  it('holds the address of a submitted image unchanged and none for an upload', () => {
    const byUrl = ReportDocument.parse(served(opened(created('tire_4t_0s', [TREADS[0]!]))));
    expect(byUrl.slots[0]!.asset!.source).toMatchObject({ kind: 'partner_url', url: `https://images.example/${TREADS[0]!}.jpg` });
    const byUpload = ReportDocument.parse(served(opened(reportStates()['processing']!)));
    expect(byUpload.slots[0]!.asset!.source).toEqual({ kind: 'atrace_upload', url: null, client_asset_id: null });
  });

  it('keeps the metadata of the caller as text', () => {
    const metadataJson = '{"branch":"강남","z":1,"a":[null]}';
    expect(served(opened(created('tire_4t_0s', [], { metadataJson })))).toMatchObject({
      client_context: { metadata: JSON.parse(metadataJson) },
    });
  });

  it('has the reason of a failed slot and whether to try again', () => {
    const failed = analyzed(reportStates()['processing']!, TREADS[0]!, FAILED);
    const [slot] = ReportDocument.parse(served(opened(failed))).slots;
    expect(slot!.analysis).toMatchObject({
      status: 'failed',
      provenance: 'engine',
      engine: { operation: 'tire.tread', result_schema_version: 'tire-tread.v2' },
      result: null,
      quality: null,
      error: { code: 'tread_not_found', retryable: true },
    });
  });

  it('links to no share page of a legacy report, which never opens', () => {
    expect(served(opened(reportStates()['legacy']!))).toMatchObject({ links: { share: null } });
  });

  it('links to the share page only while a link is valid', () => {
    const state = reportStates()['published']!;
    const later = new Date(NOW.getTime() + 1).toISOString();
    expect(served(opened(state))).toMatchObject({ links: { share: 'https://share.example/r/token' } });
    const reissued = judged(state, { link: { token: tokenOf('another'), expiresAt: later } });
    expect(served(opened(reissued))).toMatchObject({ links: { share: 'https://share.example/r/another' } });
    const expired = judged(state, { link: { token: tokenOf('token'), expiresAt: NOW.toISOString() } });
    expect(served(opened(expired))).toMatchObject({ links: { share: null } });
    const revoked = opened(judged(state, { link: null }));
    expect(served(revoked)).toMatchObject({ publication_status: 'published', links: { share: null } });
  });

  it('freezes the source of content', () => {
    const report = opened(reportStates()['complete']!);
    const snapshot = AnalysisRevisionSnapshot.parse(snapshotOf(report));
    expect(snapshot).toEqual(snapshotOf(report));
    expect(snapshot.slots).toEqual(ReportDocument.parse(served(report)).slots);
  });
});

describe('answers', () => {
  const PAGE = 'https://share.example/r/token';

  it('promises processing for submitted addresses and targets for uploads', () => {
    const byUrl = creationAnswer(opened(created('tire_4t_0s', [TREADS[0]!])), [], PAGE);
    expect(byUrl.httpStatus).toBe(202);
    expect(CreateReportResponse.parse(byUrl.response)).toMatchObject({ status: 'processing', share_url: PAGE });
    const byUpload = creationAnswer(opened(created('tire_4t_2s')), [], PAGE);
    expect(byUpload.httpStatus).toBe(201);
    expect(CreateReportResponse.parse(byUpload.response)).toMatchObject({ status: 'awaiting_images', upload_targets: [] });
  });

  it('finds the slots without an image', () => {
    expect(slotsWithoutAsset(opened(created('tire_4t_2s')))).toHaveLength(8);
    expect(slotsWithoutAsset(opened(reportStates()['processing']!))).toEqual(TREADS.slice(1));
  });

  it('distinguishes new images from known ones', () => {
    const report = opened(reportStates()['processing']!);
    const images = TREADS.slice(0, 2).map((slotId) => ({ slotId, assetId: '0190a0a0-0000-7000-8000-000000000000' }));
    const answer = registrationAnswer(report, images, [
      {
        type: 'analysisRequested',
        slotId: TREADS[1]!,
        asset: { assetId: images[1]!.assetId, source: { kind: 'atrace_upload' } },
        analysisId: 'a',
        replacesSuccess: false,
        at: report.updatedAt,
      },
    ]);
    expect(RegisterImagesResponse.parse(answer).images.map(({ status }) => status)).toEqual(['unchanged', 'accepted']);
  });
});
