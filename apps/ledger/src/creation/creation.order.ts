import { faulty, newId, parseSlotId, POSITIONS, SOURCE_CHANNELS } from '@tire/kernel';
import type { Template } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { checkSlots, chooseContentProfile, chooseTemplate, generatorVersions } from '../domain/creation';
import { newCapture, type NewCapture } from '../capture/capture.link';
import type { SubmittedImage } from '../domain/decide';
import { enteredAnalyses, type EnteredTire } from '../domain/manual';
import type { AnalysisRecord } from '../domain/slot';
import type { ReportIdentity } from '../domain/report';
import { hasSlot } from '../domain/templates';
import type { SealingKeys } from '@tire/platform';
import { allOrThrow, orThrow } from '../reports/report.commands';
import { newShareToken } from '../reports/share-token';

/** A validated creation. Whether it repeats an earlier one is not known yet. */
export interface CreationOrder {
  readonly identity: ReportIdentity;
  readonly images: readonly SubmittedImage[];
  readonly capture: NewCapture | null;
  readonly entered:
    | { readonly tires: readonly EnteredTire[]; readonly analyses: readonly AnalysisRecord[]; readonly revisionId: string }
    | undefined;
  readonly idempotencyKey: string | null;
  readonly requestDigest: Buffer;
  /** The branch takes no new reports. */
  readonly isBranchArchived: boolean;
}

export function readOrder(request: ledgerApi.CreateReportRequest, keys: SealingKeys, now: Date): CreationOrder {
  const template = orThrow(chooseTemplate(request.templateKey));
  const [contentProfile, { slotIds }] = allOrThrow(
    chooseContentProfile(request.contentProfile),
    checkSlots(
      template,
      request.images.map(({ slotId }) => slotId),
      'images',
    ),
  );
  if (request.capture && (request.images.length > 0 || request.entered))
    throw faulty('capture', 'needs Pre-Signed mode: leave images out.');
  const owner = { reportId: newId(now.getTime()), projectId: request.projectId };
  return {
    identity: {
      ...owner,
      projectMode: readMode(request.projectMode),
      intake: request.images.length > 0 ? 'partner_url' : 'upload',
      creation: { source_channel: readChannel(request.sourceChannel), mode: request.entered ? 'manual' : 'automatic' },
      template,
      contentProfile,
      generator: generatorVersions(now, contentProfile, request.contentRules),
      plateNumber: request.plateNumber ?? null,
      externalInspectionId: request.externalInspectionId ?? null,
      externalVehicleId: request.externalVehicleId ?? null,
      vin: request.vin?.toUpperCase() ?? null,
      mileageKm: request.mileageKm ?? null,
      branchId: request.branchId ?? null,
      callbackUrl: request.callbackUrl ?? null,
      metadataJson: readMetadata(request.metadataJson),
      shareToken: newShareToken(keys, owner),
      createdAt: now.toISOString(),
      legacy: false,
    },
    images: request.images.map(({ url, clientAssetId }, index) => ({
      slotId: slotIds[index]!,
      asset: { assetId: newId(now.getTime()), source: { kind: 'partner_url', url, clientAssetId: clientAssetId ?? null } },
      analysisId: newId(now.getTime()),
    })),
    capture: request.capture ? newCapture(request.capture, now) : null,
    entered: request.entered && readEntered(request.entered.tires.map(readTire), template, now),
    idempotencyKey: request.idempotencyKey ?? null,
    requestDigest: request.requestDigest,
    isBranchArchived: request.isBranchArchived ?? false,
  };
}

function readChannel(channel: string | undefined): ReportIdentity['creation']['source_channel'] {
  const known = SOURCE_CHANNELS.find((candidate) => candidate === (channel ?? 'partner_api'));
  if (!known) throw new Error(`No source channel: ${channel}`);
  return known;
}

function readEntered(tires: readonly EnteredTire[], template: Template, now: Date) {
  const analyses = enteredAnalyses(tires, now.toISOString(), () => newId(now.getTime()));
  const outside = analyses.find(({ slotId }) => !hasSlot(template, slotId));
  if (outside) {
    const { position } = parseSlotId(outside.slotId);
    throw faulty(`tires[${tires.findIndex((tire) => tire.position === position)}].size`, `the template ${template.key} has no sidewall.`);
  }
  return { tires, analyses, revisionId: newId(now.getTime()) };
}

function readTire({ position, grooveDepthsMm, size }: ledgerApi.EnteredTire, index: number): EnteredTire {
  const known = POSITIONS.find((candidate) => candidate === position);
  if (!known || grooveDepthsMm.length === 0) throw faulty(`tires[${index}]`, 'must have a known position and at least one groove.');
  return {
    position: known,
    grooveDepthsMm,
    size: size ? { section_width: size.sectionWidthMm, aspect_ratio: size.aspectRatioPercent, rim_diameter: size.rimDiameterInch } : null,
  };
}

function readMode(mode: string): ReportIdentity['projectMode'] {
  if (mode === 'test' || mode === 'live') return mode;
  throw new Error(`No project mode: ${mode}`);
}

/** Parsed and printed once, so that the stored text is a JSON object without whitespace. */
function readMetadata(json: string): string {
  if (json === '') return '{}';
  try {
    const parsed: unknown = JSON.parse(json);
    if (isJsonObject(parsed)) return JSON.stringify(parsed);
  } catch (cause) {
    throw faulty('metadata', MUST_BE_OBJECT, cause);
  }
  throw faulty('metadata', MUST_BE_OBJECT);
}

const MUST_BE_OBJECT = 'must be a JSON object.';

const isJsonObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
