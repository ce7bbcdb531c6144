import { slotId } from '@tire/kernel';
import type { CreateReportRequest, ledgerApi } from '@tire/contracts';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { json, type Answer } from './answer';
import type { KeyHolder } from './organization.store';
import { LEDGER } from './tokens';

const DISCARD_DEADLINE_MS = 30_000;

@Injectable()
export class ReportsService {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  /** From the console comes which channel it is, and what was measured by hand. */
  async create(
    caller: Pick<KeyHolder, 'projectId' | 'mode'>,
    idempotencyKey: string | undefined,
    request: CreateReportRequest,
    origin: Pick<ledgerApi.CreateReportRequest, 'sourceChannel' | 'entered'> = {},
  ): Promise<Answer> {
    const { httpStatus, responseJson } = await this.ledger.createReport({
      projectId: caller.projectId,
      projectMode: caller.mode,
      idempotencyKey,
      requestDigest: digestOf('POST /reports', { ...request, ...origin }),
      plateNumber: request.plate_number ?? undefined,
      externalInspectionId: request.external_inspection_id ?? undefined,
      externalVehicleId: request.external_vehicle_id ?? undefined,
      templateKey: request.template ?? '',
      callbackUrl: request.callback_url ?? undefined,
      contentProfile: contentProfile(request),
      metadataJson: JSON.stringify(request.metadata ?? {}),
      images: (request.images ?? []).map(({ slot, source }) => ({
        slotId: slotId(slot),
        url: source.url,
        clientAssetId: source.client_asset_id ?? undefined,
      })),
      ...origin,
    });
    return json(httpStatus, responseJson);
  }

  /** Longer than other calls may take: the ledger waits for every service that holds something of the report. */
  async discard({ projectId }: Pick<KeyHolder, 'projectId'>, reportId: string): Promise<Answer> {
    const { responseJson } = await this.ledger.discardReport({ projectId, reportId }, { deadlineMs: DISCARD_DEADLINE_MS });
    return json(200, responseJson);
  }
}

/**
 * The same request is one that means the same: whitespace, order of fields, nulls and fields that nobody knows don't count. Metadata
 * means what it says, nulls too.
 */
const digestOf = (operation: string, request: unknown): Buffer =>
  createHash('sha256')
    .update(`${operation}\n${JSON.stringify(canonical(request))}`)
    .digest();

function canonical(value: unknown, nullsCount = false): unknown {
  if (Array.isArray(value)) return value.map((member) => canonical(member, nullsCount));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && (nullsCount || member !== null));
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, member]) => [key, canonical(member, nullsCount || key === 'metadata')]));
}

function contentProfile({ content_profile: profile }: CreateReportRequest): ledgerApi.ContentProfile | undefined {
  return profile ? { key: profile.key ?? '', version: profile.version ?? '', locale: profile.locale ?? '' } : undefined;
}
