import { ALL_SLOTS, MODULE_TYPE, slotId } from '@tire/kernel';
import type { AnalysisRevisionSnapshot, Report as ReportDocument, Template } from '@tire/contracts/api';
import { PENDING_ANALYSIS } from './analysis';
import type { AnalysisRevision, ReportIdentity } from './report';
import { slotsOf } from './templates';

/**
 * report.v1 and the snapshot of a revision, composed as text around the stored text of each analysis. A measurement is printed when it
 * arrives, and is neither parsed nor printed again.
 */

/** A slot that is not empty, as JSON texts. */
export interface SlotTexts {
  readonly status: 'pending' | 'success' | 'failed';
  readonly asset: string;
  /** Null while pending. */
  readonly analysis: string | null;
}

const PENDING = JSON.stringify(PENDING_ANALYSIS);

const SLOT_NAMES = new Map(
  ALL_SLOTS.map((slot) => {
    const id = slotId(slot);
    return [id, JSON.stringify({ slot_id: id, module_type: MODULE_TYPE, slot }).slice(0, -1)] as const;
  }),
);

const EMPTY: SlotTexts = { status: 'pending', asset: 'null', analysis: null };

/** `slots`: every slot of the template, in its order. */
const slotsText = (template: Template, texts: ReadonlyMap<string, SlotTexts>): string =>
  `[${slotsOf(template)
    .map((slot) => {
      const id = slotId(slot);
      const { status, asset, analysis } = texts.get(id) ?? EMPTY;
      return `${SLOT_NAMES.get(id)},"status":"${status}","asset":${asset},"analysis":${analysis ?? PENDING}}`;
    })
    .join()}]`;

/** Prints an object with further members that are text already. */
const withMembers = (object: object, members: Readonly<Record<string, string>>): string =>
  `${JSON.stringify(object).slice(0, -1)},${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join()}}`;

/** All of report.v1 that a reader may see, except its slots. */
export interface ReportFacts {
  readonly reportId: string;
  readonly analysisStatus: ReportDocument['analysis_status'];
  readonly publicationStatus: ReportDocument['publication_status'];
  readonly summaryStatus: ReportDocument['summary_status'];
  readonly plateNumber: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
  readonly metadataJson: string;
  readonly creation: ReportDocument['creation'];
  readonly template: Template;
  readonly analysisRevision: string | null;
  /** Content of a legacy report is never published, so its link never opens. */
  readonly legacy: boolean;
  /** Null while no share link is valid. */
  readonly linkToken: string | null;
  readonly linkExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly analysisCompletedAt: Date | null;
  readonly publishedAt: Date | null;
  readonly updatedAt: Date;
  readonly warningsJson: string;
}

export const linkIsValid = ({ legacy, linkExpiresAt }: Pick<ReportFacts, 'legacy' | 'linkExpiresAt'>, now: Date): boolean =>
  !legacy && (linkExpiresAt === null || linkExpiresAt > now);

export function reportText(facts: ReportFacts, slots: ReadonlyMap<string, SlotTexts>, addresses: PublicAddresses, now: Date): string {
  const { reportId, linkToken } = facts;
  const self = `${addresses.apiUrl}/reports/${reportId}`;
  const document: Omit<ReportDocument, 'slots' | 'client_context' | 'warnings'> = {
    schema_version: 'report.v1',
    report_id: reportId,
    analysis_status: facts.analysisStatus,
    publication_status: facts.publicationStatus,
    summary_status: facts.summaryStatus,
    vehicle: { plate_number: facts.plateNumber },
    creation: facts.creation,
    template: facts.template,
    analysis_revision: facts.analysisRevision,
    links: {
      self,
      content: `${self}/content`,
      share: linkToken !== null && linkIsValid(facts, now) ? shareUrl(addresses, linkToken) : null,
    },
    timestamps: {
      created_at: facts.createdAt.toISOString(),
      analysis_completed_at: facts.analysisCompletedAt?.toISOString() ?? null,
      published_at: facts.publishedAt?.toISOString() ?? null,
      updated_at: facts.updatedAt.toISOString(),
    },
  };
  const client: Omit<ReportDocument['client_context'], 'metadata'> = {
    external_inspection_id: facts.externalInspectionId,
    external_vehicle_id: facts.externalVehicleId,
  };
  return withMembers(document, {
    client_context: withMembers(client, { metadata: facts.metadataJson }),
    slots: slotsText(facts.template, slots),
    warnings: facts.warningsJson,
  });
}

/** Returns the frozen snapshot of a revision, for the content context. */
export function snapshotText(
  identity: ReportIdentity,
  revision: AnalysisRevision,
  slots: ReadonlyMap<string, SlotTexts>,
  warningsJson: string,
): string {
  const { generator, template } = identity;
  const snapshot: Omit<AnalysisRevisionSnapshot, 'slots' | 'warnings'> = {
    report_id: identity.reportId,
    analysis_revision: revision.revisionId,
    analysis_status: revision.status,
    completed_at: revision.completedAt,
    created_at: identity.createdAt,
    creation: identity.creation,
    vehicle: { plate_number: identity.plateNumber },
    template,
    content_profile: identity.contentProfile,
    generator: {
      ruleset_version: generator.rulesetVersion,
      copy_version: generator.copyVersion,
      projection_version: generator.projectionVersion,
    },
  };
  return withMembers(snapshot, { slots: slotsText(template, slots), warnings: warningsJson });
}

export interface PublicAddresses {
  /** …/api/v1 */
  readonly apiUrl: string;
  readonly shareBaseUrl: string;
}

export const shareUrl = (addresses: PublicAddresses, shareToken: string): string => `${addresses.shareBaseUrl}/r/${shareToken}`;
