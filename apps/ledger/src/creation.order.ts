import { randomBytes } from 'node:crypto';
import { DomainError, newId } from '@tire/kernel';
import type { ledgerApi } from '@tire/contracts';
import { checkSlots, chooseContentProfile, chooseTemplate, generatorVersions } from './domain/creation';
import type { SubmittedImage } from './domain/decide';
import type { ReportIdentity } from './domain/report';
import { orThrow } from './report.commands';

/** A creation that is sound in itself; whether the same was asked before is not known yet. */
export interface CreationOrder {
  readonly identity: ReportIdentity;
  readonly images: readonly SubmittedImage[];
  readonly idempotencyKey: string | null;
  readonly requestDigest: Buffer;
}

export function readOrder(request: ledgerApi.CreateReportRequest, now: Date): CreationOrder {
  const template = orThrow(chooseTemplate(request.templateKey));
  const contentProfile = orThrow(chooseContentProfile(request.contentProfile));
  const { slotIds } = orThrow(
    checkSlots(
      template,
      request.images.map(({ slotId }) => slotId),
      'images',
    ),
  );
  return {
    identity: {
      reportId: newId(now.getTime()),
      projectId: request.projectId,
      projectMode: readMode(request.projectMode),
      intake: request.images.length > 0 ? 'partner_url' : 'upload',
      creation: { source_channel: 'partner_api', mode: 'automatic' },
      template,
      contentProfile,
      generator: generatorVersions(now),
      plateNumber: request.plateNumber ?? null,
      externalInspectionId: request.externalInspectionId ?? null,
      externalVehicleId: request.externalVehicleId ?? null,
      callbackUrl: request.callbackUrl ?? null,
      metadata: readMetadata(request.metadataJson),
      shareToken: randomBytes(32).toString('base64url'),
      createdAt: now.toISOString(),
      legacy: false,
    },
    images: request.images.map(({ url, clientAssetId }, index) => ({
      slotId: slotIds[index]!,
      asset: { assetId: newId(now.getTime()), source: { kind: 'partner_url', url, clientAssetId: clientAssetId ?? null } },
      analysisId: newId(now.getTime()),
    })),
    idempotencyKey: request.idempotencyKey ?? null,
    requestDigest: request.requestDigest,
  };
}

function readMode(mode: string): ReportIdentity['projectMode'] {
  if (mode === 'test' || mode === 'live') return mode;
  throw new Error(`No project mode: ${mode}`);
}

function readMetadata(json: string): ReportIdentity['metadata'] {
  if (json === '') return {};
  try {
    const parsed: unknown = JSON.parse(json);
    if (isJsonObject(parsed)) return parsed;
  } catch (cause) {
    throw new DomainError('validation_error', { param: 'metadata', cause });
  }
  throw new DomainError('validation_error', { param: 'metadata' });
}

const isJsonObject = (value: unknown): value is ReportIdentity['metadata'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
