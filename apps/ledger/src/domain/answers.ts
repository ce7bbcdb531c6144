import { assertNever, type SlotId } from '@tire/kernel';
import type {
  AnalyzeResponse,
  CreateReportResponse,
  DiscardResponse,
  RegisterImagesResponse,
  UploadTarget,
  UploadTargetsResponse,
} from '@tire/contracts/api';
import type { Report, ReportEvent } from './report';
import { analysisStatus } from './status';

/** The answer to a creation. A later creation of the same inspection gets the present state of the report. */
export interface CreationAnswer {
  readonly httpStatus: 201 | 202;
  readonly response: CreateReportResponse;
}

export function creationAnswer(report: Report, targets: UploadTarget[], shareUrl: string): CreationAnswer {
  const { reportId, intake } = report.identity;
  const common = { report_id: reportId, share_url: shareUrl };
  const status = analysisStatus(report) === 'awaiting_images' ? 'awaiting_images' : 'processing';
  switch (intake) {
    case 'partner_url':
      return { httpStatus: 202, response: { ...common, status } };
    case 'upload':
      return { httpStatus: 201, response: { ...common, status, upload_targets: targets } };
    default:
      return assertNever(intake);
  }
}

export const slotsWithoutAsset = (report: Report): SlotId[] =>
  report.slots.filter(({ state }) => state.phase === 'empty').map(({ slotId }) => slotId);

export const targetsAnswer = (reportId: string, upload_targets: UploadTarget[]): UploadTargetsResponse => ({
  report_id: reportId,
  upload_targets,
});

export const analyzeAnswer = (report: Report, events: readonly ReportEvent[]): AnalyzeResponse => ({
  report_id: report.identity.reportId,
  analysis_status: analysisStatus(report),
  slots: events.flatMap((event) => (event.type === 'analysisRequested' || event.type === 'fetchRequested' ? [event.slotId] : [])),
});

export const discardAnswer = (reportId: string, discardedAt: string): DiscardResponse => ({
  report_id: reportId,
  discarded_at: discardedAt,
});

export function registrationAnswer(
  report: Report,
  images: readonly { readonly slotId: string; readonly assetId: string }[],
  events: readonly ReportEvent[],
): RegisterImagesResponse {
  const accepted = new Set(
    events.flatMap((event) => (event.type === 'analysisRequested' || event.type === 'imageAttached' ? [event.slotId] : [])) as string[],
  );
  return {
    report_id: report.identity.reportId,
    analysis_status: analysisStatus(report),
    images: images.map(({ slotId, assetId }) => ({
      slot_id: slotId,
      asset_id: assetId,
      status: accepted.has(slotId) ? 'accepted' : 'unchanged',
    })),
  };
}
