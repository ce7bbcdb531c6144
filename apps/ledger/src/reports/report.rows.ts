import type { Report as ReportDocument } from '@tire/contracts/api';
import type { SandboxName, Standing, Verdict } from '@tire/kernel';
import type { EndedStatus, ProjectMode, ReportIdentity } from '../domain/report';
import type { AnalysisFacts, SlotState } from '../domain/slot';
import type { AnalysisStatus } from '../domain/status';

/** Written at creation. Only clearing a discarded report changes them. */
export interface FixedColumns {
  readonly reportId: string;
  readonly projectId: string;
  readonly projectMode: ProjectMode;
  readonly intake: ReportIdentity['intake'];
  readonly sourceChannel: ReportDocument['creation']['source_channel'];
  readonly creationMode: ReportDocument['creation']['mode'];
  readonly templateKey: string;
  readonly templateVersion: string;
  readonly profileKey: string;
  readonly profileVersion: string;
  readonly profileLocale: string;
  readonly rulesetVersion: string;
  readonly copyVersion: string;
  readonly projectionVersion: string;
  readonly plateNumber: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
  readonly vin: string | null;
  readonly mileageKm: number | null;
  readonly branchId: string | null;
  readonly callbackUrl: string | null;
  /** The metadata as received. It is returned as that text, and nothing reads it. */
  readonly metadataJson: string;
  /** Sealed. */
  readonly shareToken: Buffer;
  readonly shareTokenDigest: Buffer;
  readonly legacy: boolean;
  readonly createdAt: Date;
}

/** Written by every change of an open report. */
export interface ChangingColumns {
  readonly updatedAt: Date;
  /** Derived from the slots at each change, for reads that load no slots. */
  readonly analysisStatus: AnalysisStatus;
  readonly revisionId: string | null;
  readonly revisionStatus: EndedStatus | null;
  readonly revisionCompletedAt: Date | null;
  readonly contentAnalysisRevision: string | null;
  readonly contentRevision: string | null;
  readonly contentEtag: string | null;
  readonly contentErrorCode: string | null;
  readonly contentVerdict: Verdict | null;
  /** The content revision of the verdict: an earlier release that runs beside this one notes a new revision without its verdict. */
  readonly contentVerdictOf: string | null;
  /** Derived at each change, for lists. */
  readonly standing: Standing;
  /** `updatedAt` of the change that it was derived from: an earlier release changes a report without it. */
  readonly standingAt: Date | null;
  readonly publicationVersion: number;
  readonly publicationStatus: ReportDocument['publication_status'];
  readonly publishedAt: Date | null;
  readonly publicationAnalysisRevision: string | null;
  readonly publicationCaptureFinishedAt: Date | null;
  /** The sealed token of the valid share link. Publication may have replaced the token of the creation. */
  readonly linkToken: Buffer | null;
  readonly linkTokenDigest: Buffer | null;
  readonly linkExpiresAt: Date | null;
  /** Derived from the slots at each change, so that a read computes nothing. */
  readonly warningsJson: string;
  /** The digest of the newest capture link. */
  readonly captureDigest: Buffer | null;
  /** The rest of that link: StoredCapture. */
  readonly captureJson: string | null;
  /** Derived from the slots: the time of a photograph that the report shows is over. */
  readonly hasEndedImages: boolean;
  readonly legalHoldAt: Date | null;
  readonly legalHoldBy: string | null;
  readonly legalHoldReason: string | null;
}

/** Reads do not find a report after one of these is set. */
export interface ClosingColumns {
  readonly discardedAt: Date | null;
  readonly purgeAt: Date | null;
  /** When a discarded report was reduced to the fact that it existed. */
  readonly clearedAt: Date | null;
}

/** The columns for the history and for counting. Commands do not load them. */
export interface OriginColumns {
  readonly createdBy: string;
  readonly creationTraceId: string | null;
  readonly imagesAtCreation: number;
}

export type LoadedReport = FixedColumns & ChangingColumns & ClosingColumns;

/** A slot that is empty has no row: most reports begin with eight of them. */
export interface SlotColumns {
  readonly slotId: string;
  readonly phase: SlotState['phase'];
  readonly assetId: string | null;
  readonly sourceKind: 'partner_url' | 'atrace_upload' | null;
  readonly sourceUrl: string | null;
  readonly clientAssetId: string | null;
  readonly imageSha256: string | null;
  readonly imageHash: string | null;
  readonly imageEnded: boolean;
  /** The attempt that runs, or the analysis that ended. */
  readonly analysisId: string | null;
  readonly replacesSuccess: boolean;
  /** The well-known photograph of the sandbox that the slot waits for. */
  readonly sandbox: SandboxName | null;
}

/** The facts of an ended analysis, beside the text that only reads load. */
export interface AnalysisColumns {
  readonly provenance: AnalysisFacts['provenance'];
  readonly errorCode: AnalysisFacts['errorCode'];
  readonly model: string | null;
}

export type LoadedSlot = SlotColumns & { readonly [K in keyof AnalysisColumns]: AnalysisColumns[K] | null };

type ColumnNames<Row> = Readonly<Record<keyof Row & string, string>>;

export const FIXED: ColumnNames<FixedColumns> = {
  reportId: 'report_id',
  projectId: 'project_id',
  projectMode: 'project_mode',
  intake: 'intake',
  sourceChannel: 'source_channel',
  creationMode: 'creation_mode',
  templateKey: 'template_key',
  templateVersion: 'template_version',
  profileKey: 'profile_key',
  profileVersion: 'profile_version',
  profileLocale: 'profile_locale',
  rulesetVersion: 'ruleset_version',
  copyVersion: 'copy_version',
  projectionVersion: 'projection_version',
  plateNumber: 'plate_number',
  externalInspectionId: 'external_inspection_id',
  externalVehicleId: 'external_vehicle_id',
  vin: 'vin',
  mileageKm: 'mileage_km',
  branchId: 'branch_id',
  callbackUrl: 'callback_url',
  metadataJson: 'metadata_json',
  shareToken: 'share_token',
  shareTokenDigest: 'share_token_digest',
  legacy: 'legacy',
  createdAt: 'created_at',
};

export const CHANGING: ColumnNames<ChangingColumns> = {
  updatedAt: 'updated_at',
  analysisStatus: 'analysis_status',
  revisionId: 'revision_id',
  revisionStatus: 'revision_status',
  revisionCompletedAt: 'revision_completed_at',
  contentAnalysisRevision: 'content_analysis_revision',
  contentRevision: 'content_revision',
  contentEtag: 'content_etag',
  contentErrorCode: 'content_error_code',
  contentVerdict: 'content_verdict',
  contentVerdictOf: 'content_verdict_of',
  standing: 'standing',
  standingAt: 'standing_at',
  publicationVersion: 'publication_version',
  publicationStatus: 'publication_status',
  publishedAt: 'published_at',
  publicationAnalysisRevision: 'publication_analysis_revision',
  publicationCaptureFinishedAt: 'publication_capture_finished_at',
  linkToken: 'link_token',
  linkTokenDigest: 'link_token_digest',
  linkExpiresAt: 'link_expires_at',
  warningsJson: 'warnings_json',
  captureDigest: 'capture_digest',
  captureJson: 'capture_json',
  hasEndedImages: 'has_ended_images',
  legalHoldAt: 'legal_hold_at',
  legalHoldBy: 'legal_hold_by',
  legalHoldReason: 'legal_hold_reason',
};

export const CLOSING: ColumnNames<ClosingColumns> = {
  discardedAt: 'discarded_at',
  purgeAt: 'purge_at',
  clearedAt: 'cleared_at',
};

export const ORIGIN: ColumnNames<OriginColumns> = {
  createdBy: 'created_by',
  creationTraceId: 'creation_trace_id',
  imagesAtCreation: 'images_at_creation',
};

export const SLOT: ColumnNames<SlotColumns> = {
  slotId: 'slot_id',
  phase: 'phase',
  assetId: 'asset_id',
  sourceKind: 'source_kind',
  sourceUrl: 'source_url',
  clientAssetId: 'client_asset_id',
  imageSha256: 'image_sha256',
  imageHash: 'image_hash',
  imageEnded: 'image_ended',
  analysisId: 'analysis_id',
  replacesSuccess: 'replaces_success',
  sandbox: 'sandbox',
};

export const ANALYSIS: ColumnNames<AnalysisColumns> = {
  provenance: 'provenance',
  errorCode: 'error_code',
  model: 'model',
};

/** A list for SELECT or RETURNING whose rows have the properties as names. */
export const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([property, column]) => `${column} AS "${property}"`)
    .join(', ');
