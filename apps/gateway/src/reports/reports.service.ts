import { slotId } from '@tire/kernel';
import type { CreateReportRequest } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { LEDGER } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { HttpResponse } from '../edge/response';
import type { ProjectCaller } from '../edge/callers';

/** The status of the first creation, which had images or not. */
type CreationStatus = 201 | 202;

const DISCARD_DEADLINE_MS = 30_000;

@Injectable()
export class ReportsService {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  /** The console adds its source channel, and values that were measured by hand. */
  async create(
    caller: Pick<ProjectCaller, 'projectId' | 'mode'>,
    idempotencyKey: string | undefined,
    request: CreateReportRequest,
    origin: Pick<ledgerApi.CreateReportRequest, 'sourceChannel' | 'entered'> = {},
  ): Promise<HttpResponse<CreationStatus>> {
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
    return new HttpResponse(responseJson, {}, { status: httpStatus as CreationStatus });
  }

  /** Longer than for other calls: the ledger waits for every service that stores data of the report. */
  async discard(projectId: string, reportId: string): Promise<HttpResponse> {
    const { responseJson } = await this.ledger.discardReport({ projectId, reportId }, { deadlineMs: DISCARD_DEADLINE_MS });
    return new HttpResponse(responseJson);
  }
}

/**
 * Two requests are the same if they mean the same: whitespace, the order of fields, nulls and unknown fields do not matter. In metadata
 * nulls matter.
 */
const digestOf = (operation: string, request: unknown): Buffer =>
  createHash('sha256')
    .update(`${operation}\n${JSON.stringify(canonical(request))}`)
    .digest();

function canonical(value: unknown, nullsMatter = false): unknown {
  if (Array.isArray(value)) return value.map((member) => canonical(member, nullsMatter));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && (nullsMatter || member !== null));
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, member]) => [key, canonical(member, nullsMatter || key === 'metadata')]));
}

function contentProfile({ content_profile: profile }: CreateReportRequest): ledgerApi.ContentProfile | undefined {
  return profile ? { key: profile.key ?? '', version: profile.version ?? '', locale: profile.locale ?? '' } : undefined;
}
