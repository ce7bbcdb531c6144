import { MODULE_TYPE, slotId } from '@tire/kernel';
import type { AnalysisRevisionSnapshot, Report as ReportDocument, Template } from '@tire/contracts/api';
import { PENDING_ANALYSIS } from './analysis';
import { captureState, type StoredCapture } from './capture';
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

/** Complete by its type: a member of the contract that is missing does not compile. */
type MemberTexts<T> = { readonly [Name in keyof Required<T>]: string };

function objectText<T>(members: MemberTexts<T>): string {
  let text = '';
  for (const name in members) text += `${text ? ',' : '{'}"${name}":${members[name]}`;
  return `${text}}`;
}

/** For ids, enum values and times, in which JSON escapes nothing. */
const plainText = (value: string | null): string => (value === null ? 'null' : `"${value}"`);
const timeText = (time: Date | null): string => plainText(time && time.toISOString());

/** What every report of a template shows: printed once, because it is most of the text of a new report. */
interface TemplateTexts {
  readonly template: string;
  readonly slots: readonly { readonly id: string; readonly name: string; readonly empty: string }[];
}

const textsByTemplate = new WeakMap<Template, TemplateTexts>();

function textsOf(template: Template): TemplateTexts {
  const known = textsByTemplate.get(template);
  if (known) return known;
  const slots = slotsOf(template).map((slot) => {
    const id = slotId(slot);
    const name = JSON.stringify({ slot_id: id, module_type: MODULE_TYPE, slot }).slice(0, -1);
    return { id, name, empty: slotText(name, { status: 'pending', asset: 'null', analysis: null }) };
  });
  const texts = { template: JSON.stringify(template), slots };
  textsByTemplate.set(template, texts);
  return texts;
}

const slotText = (name: string, { status, asset, analysis }: SlotTexts): string =>
  `${name},"status":"${status}","asset":${asset},"analysis":${analysis ?? PENDING}}`;

/** `slots`: every slot of the template, in its order. */
function slotsText(template: TemplateTexts, texts: ReadonlyMap<string, SlotTexts>): string {
  const slots = template.slots.map(({ id, name, empty }) => {
    const filled = texts.get(id);
    return filled ? slotText(name, filled) : empty;
  });
  return `[${slots.join()}]`;
}

/** What report.v1 shows of a stored report. The names are those of its columns, so that a row is passed as it is: a copy costs more than the text. */
export interface StoredFacts {
  readonly reportId: string;
  readonly analysisStatus: ReportDocument['analysis_status'];
  readonly publicationStatus: ReportDocument['publication_status'];
  readonly plateNumber: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
  readonly vin: string | null;
  readonly mileageKm: number | null;
  readonly branchId: string | null;
  readonly metadataJson: string;
  readonly sourceChannel: ReportDocument['creation']['source_channel'];
  readonly creationMode: ReportDocument['creation']['mode'];
  readonly revisionId: string | null;
  readonly revisionCompletedAt: Date | null;
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly updatedAt: Date;
  readonly warningsJson: string;
  readonly captureJson: string | null;
}

/** What follows from other facts. */
export interface DerivedFacts {
  readonly summaryStatus: ReportDocument['summary_status'];
  readonly template: Template;
  /** Null while no share link is valid. */
  readonly linkToken: string | null;
  readonly now: Date;
}

interface Link {
  /** Content of a legacy report is never published, so its link never opens. */
  readonly legacy: boolean;
  readonly linkExpiresAt: Date | null;
}

export const linkIsValid = ({ legacy, linkExpiresAt }: Link, now: Date): boolean =>
  !legacy && (linkExpiresAt === null || linkExpiresAt > now);

export function reportText(
  facts: StoredFacts,
  { summaryStatus, template, linkToken, now }: DerivedFacts,
  slots: ReadonlyMap<string, SlotTexts>,
  addresses: PublicAddresses,
): string {
  const self = `${addresses.apiUrl}/reports/${facts.reportId}`;
  const share = linkToken === null ? null : shareUrl(addresses, linkToken);
  const fixed = textsOf(template);
  return objectText<ReportDocument>({
    schema_version: '"report.v1"',
    report_id: plainText(facts.reportId),
    analysis_status: plainText(facts.analysisStatus),
    publication_status: plainText(facts.publicationStatus),
    summary_status: plainText(summaryStatus),
    vehicle: objectText<ReportDocument['vehicle']>({
      plate_number: JSON.stringify(facts.plateNumber),
      vin: plainText(facts.vin),
      mileage_km: String(facts.mileageKm),
    }),
    branch_id: plainText(facts.branchId),
    creation: creationText(facts.sourceChannel, facts.creationMode),
    template: fixed.template,
    analysis_revision: plainText(facts.revisionId),
    links: JSON.stringify({ self, content: `${self}/content`, share } satisfies ReportDocument['links']),
    timestamps: objectText<ReportDocument['timestamps']>({
      created_at: timeText(facts.createdAt),
      analysis_completed_at: timeText(facts.revisionCompletedAt),
      published_at: timeText(facts.publishedAt),
      updated_at: timeText(facts.updatedAt),
    }),
    client_context: objectText<ReportDocument['client_context']>({
      external_inspection_id: JSON.stringify(facts.externalInspectionId),
      external_vehicle_id: JSON.stringify(facts.externalVehicleId),
      metadata: facts.metadataJson,
    }),
    slots: slotsText(fixed, slots),
    warnings: facts.warningsJson,
    capture: facts.captureJson === null ? 'null' : captureText(facts.captureJson, slots, now),
  });
}

function captureText(json: string, slots: ReadonlyMap<string, SlotTexts>, now: Date): string {
  const link = JSON.parse(json) as StoredCapture;
  return JSON.stringify({
    state: captureState(link, now),
    images: [...slots.values()].filter(({ asset }) => asset !== 'null').length,
    expires_at: link.expiresAt,
    opened_at: link.openedAt,
    finished_at: link.finishedAt,
    revoked_at: link.revokedAt,
  } satisfies ReportDocument['capture']);
}

const creationText = (channel: ReportDocument['creation']['source_channel'], mode: ReportDocument['creation']['mode']): string =>
  objectText<ReportDocument['creation']>({ source_channel: plainText(channel), mode: plainText(mode) });

/** Returns the frozen snapshot of a revision, for the content context. */
export function snapshotText(
  identity: ReportIdentity,
  revision: AnalysisRevision,
  slots: ReadonlyMap<string, SlotTexts>,
  warningsJson: string,
): string {
  const { generator } = identity;
  const template = textsOf(identity.template);
  return objectText<AnalysisRevisionSnapshot>({
    report_id: plainText(identity.reportId),
    analysis_revision: plainText(revision.revisionId),
    analysis_status: plainText(revision.status),
    completed_at: plainText(revision.completedAt),
    created_at: plainText(identity.createdAt),
    creation: creationText(identity.creation.source_channel, identity.creation.mode),
    vehicle: objectText<AnalysisRevisionSnapshot['vehicle']>({ plate_number: JSON.stringify(identity.plateNumber) }),
    template: template.template,
    content_profile: JSON.stringify(identity.contentProfile),
    generator: objectText<AnalysisRevisionSnapshot['generator']>({
      ruleset_version: plainText(generator.rulesetVersion),
      copy_version: plainText(generator.copyVersion),
      projection_version: plainText(generator.projectionVersion),
    }),
    slots: slotsText(template, slots),
    warnings: warningsJson,
  });
}

export interface PublicAddresses {
  /** …/api/v1 */
  readonly apiUrl: string;
  readonly shareBaseUrl: string;
}

export const shareUrl = (addresses: PublicAddresses, shareToken: string): string => `${addresses.shareBaseUrl}/r/${shareToken}`;
