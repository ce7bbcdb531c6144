import { assertNever, isSlotId, slotId } from '@tire/kernel';
import type { Template } from '@tire/contracts';
import { storedDocument } from './domain/document';
import { handoverKey } from './domain/handover';
import type { ContentProjection, Report, ReportIdentity } from './domain/report';
import { isPending, type ReportSlotRecord, type SlotAsset, type SlotState } from './domain/slot';
import { analysisStatus } from './domain/status';
import { slotsOf, templateOf } from './domain/templates';
import type { ReportRow, SlotRow } from './report.rows';

export function reportOf(row: ReportRow, slotRows: readonly SlotRow[]): Report {
  const identity = identityOf(row);
  const { revisionId, revisionStatus, revisionCompletedAt } = row;
  return {
    identity,
    slots: inTemplateOrder(identity.template, slotRows).map(slotOf),
    revision:
      revisionId && revisionStatus && revisionCompletedAt
        ? {
            revisionId,
            status: revisionStatus,
            completedAt: revisionCompletedAt.toISOString(),
            publicationVersion: row.revisionPublicationVersion,
          }
        : null,
    content: contentOf(row),
    publication: {
      version: row.publicationVersion,
      status: row.publicationStatus,
      publishedAt: row.publishedAt?.toISOString() ?? null,
      linkActive: row.linkActive,
    },
    updatedAt: row.updatedAt.toISOString(),
  };
}

const inTemplateOrder = (template: Template, rows: readonly SlotRow[]): SlotRow[] => {
  const order = slotsOf(template).map(slotId);
  return [...rows].sort((a, b) => order.findIndex((id) => id === a.slotId) - order.findIndex((id) => id === b.slotId));
};

const identityOf = (row: ReportRow): ReportIdentity => ({
  reportId: row.reportId,
  projectId: row.projectId,
  projectMode: row.projectMode,
  intake: row.intake,
  creation: { source_channel: row.sourceChannel, mode: row.creationMode },
  template: templateOf(row.templateKey, row.templateVersion),
  contentProfile: { key: row.profileKey, version: row.profileVersion, locale: row.profileLocale },
  generator: { rulesetVersion: row.rulesetVersion, copyVersion: row.copyVersion, projectionVersion: row.projectionVersion },
  plateNumber: row.plateNumber,
  externalInspectionId: row.externalInspectionId,
  externalVehicleId: row.externalVehicleId,
  callbackUrl: row.callbackUrl,
  metadata: JSON.parse(row.metadataJson) as ReportIdentity['metadata'],
  shareToken: row.shareToken,
  createdAt: row.createdAt.toISOString(),
});

export type ContentColumns = Pick<ReportRow, 'contentAnalysisRevision' | 'contentRevision' | 'contentEtag' | 'contentErrorCode'>;

export function contentOf(row: ContentColumns): ContentProjection | null {
  const { contentAnalysisRevision: analysisRevision, contentRevision, contentEtag, contentErrorCode } = row;
  if (!analysisRevision) return null;
  if (contentRevision && contentEtag) return { analysisRevision, outcome: { kind: 'ready', contentRevision, etag: contentEtag } };
  return { analysisRevision, outcome: { kind: 'failed', errorCode: contentErrorCode ?? 'internal_error' } };
}

function contentColumns(content: ContentProjection | null): ContentColumns {
  const none = { contentRevision: null, contentEtag: null, contentErrorCode: null };
  if (!content) return { ...none, contentAnalysisRevision: null };
  const { analysisRevision: contentAnalysisRevision, outcome } = content;
  switch (outcome.kind) {
    case 'ready':
      return { contentAnalysisRevision, contentRevision: outcome.contentRevision, contentEtag: outcome.etag, contentErrorCode: null };
    case 'failed':
      return { ...none, contentAnalysisRevision, contentErrorCode: outcome.errorCode };
    default:
      return assertNever(outcome);
  }
}

/** What a change may touch. A hand-over starts to wait anew when what is owed has changed, and goes on waiting otherwise. */
export function changingColumns(before: Report | null, after: Report, at: Date): Partial<ReportRow> {
  const { revision, publication } = after;
  const key = handoverKey(after);
  const handover = before && handoverKey(before) === key ? {} : { handoverAt: key === null ? null : at, handoverAttempts: 0 };
  return {
    updatedAt: new Date(after.updatedAt),
    analysisStatus: analysisStatus(after),
    revisionId: revision?.revisionId ?? null,
    revisionStatus: revision?.status ?? null,
    revisionCompletedAt: revision ? new Date(revision.completedAt) : null,
    revisionPublicationVersion: revision?.publicationVersion ?? 0,
    ...contentColumns(after.content),
    publicationVersion: publication.version,
    publicationStatus: publication.status,
    publishedAt: publication.publishedAt === null ? null : new Date(publication.publishedAt),
    linkActive: publication.linkActive,
    document: Buffer.from(JSON.stringify(storedDocument(after))),
    ...handover,
  };
}

export const fixedColumns = ({ identity }: Report) => ({
  reportId: identity.reportId,
  projectId: identity.projectId,
  projectMode: identity.projectMode,
  intake: identity.intake,
  sourceChannel: identity.creation.source_channel,
  creationMode: identity.creation.mode,
  templateKey: identity.template.key,
  templateVersion: identity.template.version,
  profileKey: identity.contentProfile.key,
  profileVersion: identity.contentProfile.version,
  profileLocale: identity.contentProfile.locale,
  ...identity.generator,
  plateNumber: identity.plateNumber,
  externalInspectionId: identity.externalInspectionId,
  externalVehicleId: identity.externalVehicleId,
  callbackUrl: identity.callbackUrl,
  metadataJson: JSON.stringify(identity.metadata),
  shareToken: identity.shareToken,
  createdAt: new Date(identity.createdAt),
});

export type SlotColumns = Pick<
  SlotRow,
  'slotId' | 'phase' | 'assetId' | 'sourceKind' | 'sourceUrl' | 'clientAssetId' | 'analysisId' | 'replacesSuccess' | 'analysis' | 'model'
>;

export function slotOf(row: SlotColumns): ReportSlotRecord {
  if (!isSlotId(row.slotId)) throw new Error(`Stored slot id is none: ${row.slotId}`);
  return { slotId: row.slotId, state: slotStateOf(row) };
}

function slotStateOf(row: SlotColumns): SlotState {
  const { phase, analysisId, replacesSuccess, analysis, model } = row;
  if (phase === 'empty') return { phase };
  const asset = assetOf(row);
  if (phase === 'fetching') return { phase, asset };
  if (phase === 'analyzing' && analysisId) return { phase, asset, analysisId, replacesSuccess };
  if ((phase === 'succeeded' || phase === 'failed') && analysis) return { phase, asset, analysis, model };
  throw new Error(`Stored slot ${row.slotId} is ${phase} without what that needs`);
}

function assetOf({ slotId: id, assetId, sourceKind, sourceUrl, clientAssetId }: SlotColumns): SlotAsset {
  if (assetId && sourceKind === 'partner_url' && sourceUrl !== null) {
    return { assetId, source: { kind: sourceKind, url: sourceUrl, clientAssetId } };
  }
  if (assetId && sourceKind === 'atrace_upload') return { assetId, source: { kind: sourceKind } };
  throw new Error(`Stored slot ${id} has no asset`);
}

/** A slot that changed starts to wait anew, or no longer waits. */
export function slotColumns(slot: ReportSlotRecord, at: Date): Omit<SlotRow, 'reportId' | 'projectId'> {
  const { state } = slot;
  const asset = state.phase === 'empty' ? null : state.asset;
  const partnerUrl = asset?.source.kind === 'partner_url' ? asset.source : null;
  const ended = state.phase === 'succeeded' || state.phase === 'failed' ? state : null;
  const analyzing = state.phase === 'analyzing' ? state : null;
  return {
    slotId: slot.slotId,
    phase: state.phase,
    assetId: asset?.assetId ?? null,
    sourceKind: asset?.source.kind ?? null,
    sourceUrl: partnerUrl?.url ?? null,
    clientAssetId: partnerUrl?.clientAssetId ?? null,
    analysisId: analyzing?.analysisId ?? null,
    replacesSuccess: analyzing?.replacesSuccess ?? false,
    analysis: ended?.analysis ?? null,
    model: ended?.model ?? null,
    handoverAt: isPending(slot) ? at : null,
    handoverAttempts: 0,
  };
}
