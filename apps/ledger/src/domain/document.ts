import { MODULE_TYPE, parseSlotId } from '@tire/kernel';
import type { AnalysisRevisionSnapshot, Asset, Report as ReportDocument, ReportSlot } from '@tire/contracts';
import { PENDING_ANALYSIS } from './analysis';
import type { AnalysisRevision, Report } from './report';
import type { ReportSlotRecord, SlotAsset } from './slot';
import { analysisStatus, summaryStatus } from './status';

/**
 * report.v1 but for its links. They hold the addresses that the service has today, while this part is printed when the
 * report changes and kept as bytes.
 */
export type StoredDocument = Omit<ReportDocument, 'links'>;

export const storedDocument = (report: Report): StoredDocument => {
  const { identity, revision, publication } = report;
  return {
    schema_version: 'report.v1',
    report_id: identity.reportId,
    analysis_status: analysisStatus(report),
    publication_status: publication.status,
    summary_status: summaryStatus(report),
    vehicle: { plate_number: identity.plateNumber },
    client_context: {
      external_inspection_id: identity.externalInspectionId,
      external_vehicle_id: identity.externalVehicleId,
      metadata: identity.metadata,
    },
    creation: identity.creation,
    template: identity.template,
    analysis_revision: revision?.revisionId ?? null,
    slots: report.slots.map(slotDocument),
    timestamps: {
      created_at: identity.createdAt,
      analysis_completed_at: revision?.completedAt ?? null,
      published_at: publication.publishedAt,
      updated_at: report.updatedAt,
    },
  };
};

function slotDocument({ slotId, state }: ReportSlotRecord): ReportSlot {
  const analysis = state.phase === 'succeeded' || state.phase === 'failed' ? state.analysis : PENDING_ANALYSIS;
  return {
    slot_id: slotId,
    module_type: MODULE_TYPE,
    slot: parseSlotId(slotId),
    status: analysis.status,
    asset: state.phase === 'empty' || state.asset === null ? null : assetDocument(state.asset),
    analysis,
  };
}

const assetDocument = ({ assetId, source }: SlotAsset): Asset => ({
  asset_id: assetId,
  source:
    source.kind === 'partner_url'
      ? { kind: source.kind, url: source.url, client_asset_id: source.clientAssetId }
      : { kind: source.kind, url: null, client_asset_id: null },
});

export interface PublicAddresses {
  /** …/api/v1 */
  readonly apiUrl: string;
  readonly shareBaseUrl: string;
}

export const shareUrl = (addresses: PublicAddresses, shareToken: string): string => `${addresses.shareBaseUrl}/r/${shareToken}`;

export interface LinkFacts {
  readonly reportId: string;
  /** Null while no share link is valid. */
  readonly linkToken: string | null;
  readonly linkExpiresAt: Date | null;
}

/** Sets the links into a stored document without parsing it: it is a JSON object with members, so they go behind its first brace. */
export function withLinks(document: string, facts: LinkFacts, addresses: PublicAddresses, now: Date): Buffer {
  const { linkToken, linkExpiresAt } = facts;
  const valid = linkToken !== null && (linkExpiresAt === null || linkExpiresAt > now);
  const self = `${addresses.apiUrl}/reports/${facts.reportId}`;
  const links: ReportDocument['links'] = { self, content: `${self}/content`, share: valid ? shareUrl(addresses, linkToken) : null };
  return Buffer.from(`{"links":${JSON.stringify(links)},${document.slice(1)}`);
}

/** What a revision froze, for the content context to read as often as it likes. */
export const revisionSnapshot = (report: Report, revision: AnalysisRevision): AnalysisRevisionSnapshot => ({
  report_id: report.identity.reportId,
  analysis_revision: revision.revisionId,
  analysis_status: revision.status,
  completed_at: revision.completedAt,
  created_at: report.identity.createdAt,
  creation: report.identity.creation,
  vehicle: { plate_number: report.identity.plateNumber },
  template: report.identity.template,
  content_profile: report.identity.contentProfile,
  generator: {
    ruleset_version: report.identity.generator.rulesetVersion,
    copy_version: report.identity.generator.copyVersion,
    projection_version: report.identity.generator.projectionVersion,
  },
  slots: report.slots.map(slotDocument),
});
