import { assertNever, isSlotId, slotId, type SlotId } from '@tire/kernel';
import type { CaptureLink, StoredCapture } from '../domain/capture';
import { handoverKey } from '../domain/handover';
import type { ContentProjection, LegalHold, Report, ReportIdentity, ReportState } from '../domain/report';
import { awaitedPhotograph } from '../domain/sandbox';
import { endedState, type ReportSlotRecord, type SlotAsset, type SlotState } from '../domain/slot';
import { standingOf } from '../domain/standing';
import { analysisStatus } from '../domain/status';
import { slotsOf, templateOf } from '../domain/templates';
import { imageWarnings } from '../domain/warnings';
import type { ChangingColumns, FixedColumns, LoadedReport, LoadedSlot, SlotColumns } from './report.rows';

export function stateOf(row: LoadedReport, slotRows: readonly LoadedSlot[]): ReportState {
  const report = reportOf(row, slotRows);
  if (row.purgeAt) return { lifecycle: 'purging', report };
  if (!row.discardedAt) return { lifecycle: 'open', report };
  return { lifecycle: 'discarded', report, discardedAt: row.discardedAt.toISOString(), cleared: row.clearedAt !== null };
}

function reportOf(row: LoadedReport, slotRows: readonly LoadedSlot[]): Report {
  const identity = identityOf(row);
  const { revisionId, revisionStatus, revisionCompletedAt } = row;
  return {
    identity,
    slots: slotsOf(identity.template).map((slot) => recordOf(slotId(slot), slotRows)),
    revision:
      revisionId && revisionStatus && revisionCompletedAt
        ? { revisionId, status: revisionStatus, completedAt: revisionCompletedAt.toISOString() }
        : null,
    content: contentOf(row),
    publication: {
      version: row.publicationVersion,
      status: row.publicationStatus,
      publishedAt: row.publishedAt?.toISOString() ?? null,
      analysisRevision: row.publicationAnalysisRevision,
      captureFinishedAt: row.publicationCaptureFinishedAt?.toISOString() ?? null,
      link: linkOf(row),
    },
    capture: captureOf(row),
    hold: holdOf(row),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function linkOf({ linkToken, linkTokenDigest, linkExpiresAt }: LoadedReport): Report['publication']['link'] {
  if (linkToken === null || linkTokenDigest === null) return null;
  return { token: { digest: linkTokenDigest, sealed: linkToken }, expiresAt: linkExpiresAt?.toISOString() ?? null };
}

const captureOf = ({ captureDigest: digest, captureJson }: LoadedReport): Report['capture'] =>
  digest === null || captureJson === null ? null : { digest, ...(JSON.parse(captureJson) as StoredCapture) };

function holdOf({ legalHoldAt, legalHoldBy, legalHoldReason }: LoadedReport): LegalHold | null {
  if (legalHoldAt === null) return null;
  return { at: legalHoldAt.toISOString(), by: legalHoldBy ?? '', reason: legalHoldReason ?? '' };
}

export const holdColumns = (hold: LegalHold | null): Pick<ChangingColumns, 'legalHoldAt' | 'legalHoldBy' | 'legalHoldReason'> => ({
  legalHoldAt: dateOrNull(hold?.at),
  legalHoldBy: hold?.by ?? null,
  legalHoldReason: hold?.reason ?? null,
});

const captureText = ({ digest: _, ...stored }: CaptureLink): string => JSON.stringify(stored satisfies StoredCapture);

function recordOf(id: SlotId, rows: readonly LoadedSlot[]): ReportSlotRecord {
  const row = rows.find((candidate) => candidate.slotId === id);
  return row ? slotOf(row) : { slotId: id, state: { phase: 'empty' } };
}

export const identityOf = (row: FixedColumns): ReportIdentity => ({
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
  vin: row.vin,
  mileageKm: row.mileageKm,
  branchId: row.branchId,
  callbackUrl: row.callbackUrl,
  metadataJson: row.metadataJson,
  shareToken: { digest: row.shareTokenDigest, sealed: row.shareToken },
  createdAt: row.createdAt.toISOString(),
  legacy: row.legacy,
});

type ContentColumns = Pick<
  ChangingColumns,
  'contentAnalysisRevision' | 'contentRevision' | 'contentEtag' | 'contentErrorCode' | 'contentVerdict' | 'contentVerdictOf'
>;

export function contentOf(row: ContentColumns): ContentProjection | null {
  const { contentAnalysisRevision: analysisRevision, contentRevision, contentEtag, contentErrorCode } = row;
  if (!analysisRevision) return null;
  if (contentRevision && contentEtag) {
    const verdict = row.contentVerdictOf === contentRevision ? row.contentVerdict : null;
    return { analysisRevision, outcome: { kind: 'ready', contentRevision, etag: contentEtag, verdict } };
  }
  return { analysisRevision, outcome: { kind: 'failed', errorCode: contentErrorCode ?? 'internal_error' } };
}

function contentColumns(content: ContentProjection | null): ContentColumns {
  const none = { contentRevision: null, contentEtag: null, contentErrorCode: null, contentVerdict: null, contentVerdictOf: null };
  if (!content) return { ...none, contentAnalysisRevision: null };
  const { analysisRevision: contentAnalysisRevision, outcome } = content;
  switch (outcome.kind) {
    case 'ready':
      return {
        contentAnalysisRevision,
        contentRevision: outcome.contentRevision,
        contentEtag: outcome.etag,
        contentErrorCode: null,
        contentVerdict: outcome.verdict,
        contentVerdictOf: outcome.verdict && outcome.contentRevision,
      };
    case 'failed':
      return { ...none, contentAnalysisRevision, contentErrorCode: outcome.errorCode };
    default:
      return assertNever(outcome);
  }
}

/** The time from which the hand-over waits for a changed answer. Null: it continues to wait as before. */
export function handoverChange(before: ReportState, after: ReportState, at: Date): { readonly at: Date | null } | null {
  const key = handoverKey(after);
  if (before.lifecycle !== 'absent' && handoverKey(before) === key) return null;
  return { at: key === null ? null : at };
}

export function changingColumns(report: Report): ChangingColumns {
  const { identity, revision, content, publication } = report;
  const { link } = publication;
  const status = analysisStatus(report);
  return {
    updatedAt: new Date(report.updatedAt),
    analysisStatus: status,
    standing: standingOf({ analysisStatus: status, revision, content, legacy: identity.legacy }),
    standingAt: new Date(report.updatedAt),
    revisionId: revision?.revisionId ?? null,
    revisionStatus: revision?.status ?? null,
    revisionCompletedAt: dateOrNull(revision?.completedAt),
    ...contentColumns(report.content),
    publicationVersion: publication.version,
    publicationStatus: publication.status,
    publishedAt: dateOrNull(publication.publishedAt),
    publicationAnalysisRevision: publication.analysisRevision,
    publicationCaptureFinishedAt: dateOrNull(publication.captureFinishedAt),
    linkToken: link?.token.sealed ?? null,
    linkTokenDigest: link?.token.digest ?? null,
    linkExpiresAt: dateOrNull(link?.expiresAt),
    warningsJson: JSON.stringify(imageWarnings(report.slots)),
    captureDigest: report.capture?.digest ?? null,
    captureJson: report.capture && captureText(report.capture),
    hasEndedImages: report.slots.some(({ state }) => state.phase !== 'empty' && state.asset?.isEnded === true),
    ...holdColumns(report.hold),
  };
}

const dateOrNull = (text: string | null | undefined): Date | null => (text === null || text === undefined ? null : new Date(text));

export const fixedColumns = ({ identity }: Report): FixedColumns => ({
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
  vin: identity.vin,
  mileageKm: identity.mileageKm,
  branchId: identity.branchId,
  callbackUrl: identity.callbackUrl,
  metadataJson: identity.metadataJson,
  shareToken: identity.shareToken.sealed,
  shareTokenDigest: identity.shareToken.digest,
  legacy: identity.legacy,
  createdAt: new Date(identity.createdAt),
});

export function slotOf(row: LoadedSlot): ReportSlotRecord {
  if (!isSlotId(row.slotId)) throw new Error(`A stored slot id is not valid: ${row.slotId}`);
  return { slotId: row.slotId, state: slotStateOf(row) };
}

function slotStateOf(row: LoadedSlot): SlotState {
  const { phase, analysisId, replacesSuccess, provenance, errorCode, model } = row;
  if (phase === 'empty') return { phase };
  const asset = assetOf(row);
  if ((phase === 'succeeded' || phase === 'failed') && analysisId && provenance) {
    return endedState(asset, { analysisId, provenance, errorCode, model });
  }
  if ((phase === 'fetching' || phase === 'analyzing') && asset && analysisId) return { phase, asset, analysisId, replacesSuccess };
  throw new Error(`Stored slot ${row.slotId} is ${phase} without what that needs`);
}

function assetOf({
  slotId: id,
  assetId,
  sourceKind,
  sourceUrl,
  clientAssetId,
  imageSha256,
  imageHash,
  imageEnded,
}: LoadedSlot): SlotAsset | null {
  if (assetId === null) return null;
  const image = { assetId, sha256: imageSha256 ?? undefined, hash: imageHash ?? undefined, ...(imageEnded && { isEnded: true }) };
  if (sourceKind === 'partner_url' && sourceUrl !== null) {
    return { ...image, source: { kind: sourceKind, url: sourceUrl, clientAssetId } };
  }
  if (sourceKind === 'atrace_upload') return { ...image, source: { kind: sourceKind } };
  throw new Error(`Stored slot ${id} has an asset without a source`);
}

export function slotColumns(identity: ReportIdentity, { slotId, state }: ReportSlotRecord): SlotColumns {
  const asset = state.phase === 'empty' ? null : state.asset;
  const partnerUrl = asset?.source.kind === 'partner_url' ? asset.source : null;
  const attempt = state.phase === 'fetching' || state.phase === 'analyzing' ? state : null;
  const ended = state.phase === 'succeeded' || state.phase === 'failed' ? state.analysis : null;
  return {
    slotId,
    phase: state.phase,
    assetId: asset?.assetId ?? null,
    sourceKind: asset?.source.kind ?? null,
    sourceUrl: partnerUrl?.url ?? null,
    clientAssetId: partnerUrl?.clientAssetId ?? null,
    imageSha256: asset?.sha256 ?? null,
    imageHash: asset?.hash ?? null,
    imageEnded: asset?.isEnded ?? false,
    analysisId: (attempt ?? ended)?.analysisId ?? null,
    replacesSuccess: attempt?.replacesSuccess ?? false,
    sandbox: awaitedPhotograph(identity, state) ?? null,
  };
}
