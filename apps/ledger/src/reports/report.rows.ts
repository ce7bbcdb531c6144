import type { Analysis, Report as ReportDocument } from '@tire/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EndedStatus, ProjectMode, ReportIdentity } from '../domain/report';
import type { SlotState } from '../domain/slot';
import type { AnalysisStatus } from '../domain/status';

@Entity('reports')
export class ReportRow {
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('text', { name: 'project_mode' }) projectMode: ProjectMode;
  @Column('text') intake: ReportIdentity['intake'];
  @Column('text', { name: 'source_channel' }) sourceChannel: ReportDocument['creation']['source_channel'];
  @Column('text', { name: 'creation_mode' }) creationMode: ReportDocument['creation']['mode'];
  @Column('text', { name: 'template_key' }) templateKey: string;
  @Column('text', { name: 'template_version' }) templateVersion: string;
  @Column('text', { name: 'profile_key' }) profileKey: string;
  @Column('text', { name: 'profile_version' }) profileVersion: string;
  @Column('text', { name: 'profile_locale' }) profileLocale: string;
  @Column('text', { name: 'ruleset_version' }) rulesetVersion: string;
  @Column('text', { name: 'copy_version' }) copyVersion: string;
  @Column('text', { name: 'projection_version' }) projectionVersion: string;
  @Column('text', { name: 'plate_number', nullable: true }) plateNumber: string | null;
  @Column('text', { name: 'external_inspection_id', nullable: true }) externalInspectionId: string | null;
  @Column('text', { name: 'external_vehicle_id', nullable: true }) externalVehicleId: string | null;
  @Column('text', { name: 'callback_url', nullable: true }) callbackUrl: string | null;
  /** Only ever given back: it is kept as the text it came as. */
  @Column('text', { name: 'metadata_json' }) metadataJson: string;
  @Column('text', { name: 'share_token' }) shareToken: string;
  @Column('boolean') legacy: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;

  /** Derived from the slots at each change, for reads that load no slots. */
  @Column('text', { name: 'analysis_status' }) analysisStatus: AnalysisStatus;
  @Column('uuid', { name: 'revision_id', nullable: true }) revisionId: string | null;
  @Column('text', { name: 'revision_status', nullable: true }) revisionStatus: EndedStatus | null;
  @Column('timestamptz', { name: 'revision_completed_at', nullable: true }) revisionCompletedAt: Date | null;

  @Column('uuid', { name: 'content_analysis_revision', nullable: true }) contentAnalysisRevision: string | null;
  @Column('uuid', { name: 'content_revision', nullable: true }) contentRevision: string | null;
  @Column('text', { name: 'content_etag', nullable: true }) contentEtag: string | null;
  @Column('text', { name: 'content_error_code', nullable: true }) contentErrorCode: string | null;

  @Column('integer', { name: 'publication_version' }) publicationVersion: number;
  @Column('text', { name: 'publication_status' }) publicationStatus: ReportDocument['publication_status'];
  @Column('timestamptz', { name: 'published_at', nullable: true }) publishedAt: Date | null;
  @Column('uuid', { name: 'publication_analysis_revision', nullable: true }) publicationAnalysisRevision: string | null;
  /** Of the share link that is valid; the one that was minted at creation may have been replaced. */
  @Column('text', { name: 'link_token', nullable: true }) linkToken: string | null;
  @Column('timestamptz', { name: 'link_expires_at', nullable: true }) linkExpiresAt: Date | null;

  /** Closed since then: reads do not find the report any more. */
  @Column('timestamptz', { name: 'discarded_at', nullable: true }) discardedAt: Date | null;
  @Column('timestamptz', { name: 'purge_at', nullable: true }) purgeAt: Date | null;
  /** When all but the fact that a discarded report was there was forgotten. */
  @Column('timestamptz', { name: 'cleared_at', nullable: true }) clearedAt: Date | null;

  /** For people who look at its history, and for counting; commands do not need them back. */
  @Column('text', { name: 'created_by', nullable: true, select: false }) createdBy: string | null;
  @Column('uuid', { name: 'creation_trace_id', nullable: true, select: false }) creationTraceId: string | null;
  @Column('smallint', { name: 'images_at_creation', nullable: true, select: false }) imagesAtCreation: number | null;

  /** report.v1 without its links, as it is served. Commands do not need it back. */
  @Column('bytea', { select: false }) document: Buffer;

  /** Since when something that the ledger told others has not come back; null: nothing is owed. */
  @Column('timestamptz', { name: 'handover_at', nullable: true }) handoverAt: Date | null;
  @Column('integer', { name: 'handover_attempts' }) handoverAttempts: number;
}

/** A slot that is empty has no row: most reports begin with eight of them. */
@Entity('slots')
export class SlotRow {
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId: string;
  @PrimaryColumn('text', { name: 'slot_id' }) slotId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('text') phase: SlotState['phase'];
  @Column('uuid', { name: 'asset_id', nullable: true }) assetId: string | null;
  @Column('text', { name: 'source_kind', nullable: true }) sourceKind: 'partner_url' | 'atrace_upload' | null;
  @Column('text', { name: 'source_url', nullable: true }) sourceUrl: string | null;
  @Column('text', { name: 'client_asset_id', nullable: true }) clientAssetId: string | null;
  @Column('uuid', { name: 'analysis_id', nullable: true }) analysisId: string | null;
  @Column('boolean', { name: 'replaces_success' }) replacesSuccess: boolean;
  /** How the attempt ended; json and not jsonb, so that it comes back as it was written. */
  @Column('json', { nullable: true }) analysis: Analysis | null;
  @Column('text', { nullable: true }) model: string | null;
  @Column('timestamptz', { name: 'handover_at', nullable: true }) handoverAt: Date | null;
  @Column('integer', { name: 'handover_attempts' }) handoverAttempts: number;
}

/** Written once; the database refuses to change it. */
@Entity('analysis_revisions')
export class AnalysisRevisionRow {
  @PrimaryColumn('uuid', { name: 'revision_id' }) revisionId: string;
  @Column('uuid', { name: 'report_id' }) reportId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('text') status: EndedStatus;
  @Column('timestamptz', { name: 'completed_at' }) completedAt: Date;
  @Column('bytea') snapshot: Buffer;
}

@Entity('idempotency_records')
export class IdempotencyRow {
  @PrimaryColumn('uuid', { name: 'project_id' }) projectId: string;
  @PrimaryColumn('text', { name: 'idempotency_key' }) idempotencyKey: string;
  @Column('bytea', { name: 'request_digest' }) requestDigest: Buffer;
  @Column('uuid', { name: 'report_id' }) reportId: string;
  @Column('integer', { name: 'http_status' }) httpStatus: number;
  @Column('bytea', { name: 'response_json' }) responseJson: Buffer;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}

export const LEDGER_ENTITIES = [ReportRow, SlotRow, AnalysisRevisionRow, IdempotencyRow];
