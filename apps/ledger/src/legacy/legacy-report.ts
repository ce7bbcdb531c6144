import { CONTENT_PROFILE, isSlotId, newId, slotId, type SlotId } from '@tire/kernel';
import { Analysis, Report as ReportDocument, ReportSlot } from '@tire/contracts/api';
import type { SealingKeys } from '@tire/platform';
import { z } from 'zod';
import { generatorVersions } from '../domain/creation';
import type { ReportCommand } from '../domain/decide';
import type { ReportIdentity } from '../domain/report';
import { endedState, type AnalysisRecord, type ReportSlotRecord, type SlotAsset } from '../domain/slot';
import { hasSlot, slotsOf, templateOf } from '../domain/templates';
import { newShareToken } from '../reports/share-token';

type ImportCommand = Extract<ReportCommand, { type: 'importLegacy' }>;

/**
 * A report of the previous system: report.v1, of which only recorded fields are read. Derived fields (statuses, revision, links) are derived
 * again.
 */
export const LegacyReport = z
  .object({
    report_id: ReportDocument.shape.report_id,
    vehicle: ReportDocument.shape.vehicle.prefault({ plate_number: null }),
    client_context: ReportDocument.shape.client_context.partial().prefault({}),
    creation: ReportDocument.shape.creation.prefault({ source_channel: 'partner_api', mode: 'automatic' }),
    template: ReportDocument.shape.template.pick({ key: true }),
    timestamps: z.object({
      created_at: z.iso.datetime({ offset: true }),
      analysis_completed_at: z.iso.datetime({ offset: true }).nullish(),
    }),
    slots: z.array(ReportSlot.pick({ slot: true, asset: true }).extend({ analysis: z.unknown() })),
  })
  .transform((report, context) => {
    const analyses = report.slots.map(({ analysis }, index) => {
      const parsed = Analysis.safeParse(projected(analysis));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', path: ['slots', index, 'analysis'], message: z.prettifyError(parsed.error) });
      return z.NEVER;
    });
    return { ...report, analyses };
  });
export type LegacyReport = z.infer<typeof LegacyReport>;

/** The provenance of every imported analysis, whatever it was in the previous system. */
const projected = (analysis: unknown): unknown =>
  typeof analysis === 'object' && analysis !== null && 'status' in analysis && analysis.status !== 'pending'
    ? { ...analysis, provenance: 'legacy_projection' }
    : analysis;

export interface ImportInto {
  readonly projectId: string;
  readonly projectMode: ReportIdentity['projectMode'];
  readonly revisionId: string;
  readonly sealingKeys: SealingKeys;
}

export function importCommand(legacy: LegacyReport, { projectId, projectMode, revisionId, sealingKeys }: ImportInto): ImportCommand {
  const template = templateOf(legacy.template.key, '1.0');
  const createdAt = new Date(legacy.timestamps.created_at).toISOString();
  const outside = legacy.slots.find(({ slot }) => !hasSlot(template, slotId(slot)));
  if (outside) throw new Error(`${slotId(outside.slot)} is no slot of ${template.key}`);
  const analyses = analysisRecords(legacy);
  const reportId = legacy.report_id.toLowerCase();
  const byUrl = legacy.slots.some(({ asset }) => asset?.source.kind === 'partner_url');
  return {
    type: 'importLegacy',
    revisionId,
    completedAt: new Date(legacy.timestamps.analysis_completed_at ?? createdAt).toISOString(),
    identity: {
      reportId,
      projectId,
      projectMode,
      intake: byUrl ? 'partner_url' : 'upload',
      creation: legacy.creation,
      template,
      contentProfile: CONTENT_PROFILE,
      generator: generatorVersions(new Date(createdAt)),
      plateNumber: legacy.vehicle.plate_number,
      externalInspectionId: legacy.client_context.external_inspection_id ?? null,
      externalVehicleId: legacy.client_context.external_vehicle_id ?? null,
      vin: null,
      mileageKm: null,
      branchId: null,
      callbackUrl: null,
      metadataJson: JSON.stringify(legacy.client_context.metadata ?? {}),
      shareToken: newShareToken(sealingKeys, { projectId, reportId }),
      createdAt,
      legacy: true,
    },
    slots: slotsOf(template).map((slot) => slotRecord(slotId(slot), legacy, analyses)),
    analyses,
  };
}

/** An analysis that was still pending is left out: nothing will end it. */
const analysisRecords = ({ slots, analyses }: LegacyReport): AnalysisRecord[] =>
  analyses.flatMap((analysis, index) => {
    const id = slotId(slots[index]!.slot);
    if (analysis.status === 'pending' || !isSlotId(id)) return [];
    const facts = { analysisId: newId(), provenance: 'legacy_projection' as const, errorCode: analysis.error?.code ?? null, model: null };
    return [{ slotId: id, ...facts, json: JSON.stringify(analysis) }];
  });

function slotRecord(id: SlotId, { slots }: LegacyReport, analyses: readonly AnalysisRecord[]): ReportSlotRecord {
  const analysis = analyses.find((candidate) => candidate.slotId === id);
  const asset = slots.find(({ slot }) => slotId(slot) === id)?.asset;
  return { slotId: id, state: analysis ? endedState(asset ? assetOf(asset) : null, analysis) : { phase: 'empty' } };
}

function assetOf({ asset_id: assetId, source }: NonNullable<LegacyReport['slots'][number]['asset']>): SlotAsset {
  if (source.kind === 'partner_url' && source.url !== null)
    return { assetId, source: { kind: 'partner_url', url: source.url, clientAssetId: source.client_asset_id } };
  return { assetId, source: { kind: 'atrace_upload' } };
}
