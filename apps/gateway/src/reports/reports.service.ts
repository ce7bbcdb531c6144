import { DomainError, FairTurns, slotId, TooManyWaiting } from '@tire/kernel';
import type { CreateReportRequest, CreateReportResponse } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { LEDGER, setSubject } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { captureOrder } from '../capture/capture-order';
import { HttpResponse } from '../edge/response';
import type { KeyHolder, ProjectMember } from '../edge/callers';
import { BranchesService } from '../projects/branches.service';
import { RulesService } from '../projects/rules.service';

/** The status of the first creation, which may have come with images or without. */
type CreationStatus = 201 | 202;

/** The channel of reports whose images come by a capture link, wherever they were created. */
const CAPTURED = 'mobile_web';

const DISCARD_DEADLINE_MS = 30_000;
/**
 * Creations of one inspection that this process sends to the ledger at once. The ledger runs them one after the other. Further ones are
 * refused here: 300 whole answers kept the processors busy for seconds, and reads of others took four times as long meanwhile.
 */
const OF_INSPECTION_MAX = 8;

@Injectable()
export class ReportsService {
  private readonly inspections = new FairTurns({ capacity: Infinity, ofKey: OF_INSPECTION_MAX, waitingOfKey: 0 });

  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(BranchesService) private readonly branches: Pick<BranchesService, 'ofCreation'>,
    @Inject(RulesService) private readonly rules: Pick<RulesService, 'of'>,
  ) {}

  /** The console adds its source channel, and values that were measured by hand. */
  async create(
    caller: Pick<KeyHolder | ProjectMember, 'projectId' | 'mode'>,
    idempotencyKey: string | undefined,
    request: CreateReportRequest,
    origin: Pick<ledgerApi.CreateReportRequest, 'sourceChannel' | 'entered'> = {},
  ): Promise<HttpResponse<CreationStatus>> {
    const create = () => this.createAtLedger(caller, idempotencyKey, request, origin);
    const { external_inspection_id: inspection } = request;
    const { httpStatus, responseJson } = await (inspection === null || inspection === undefined
      ? create()
      : this.inspections.run(`${caller.projectId} ${inspection}`, create).catch(refuseForNow));
    const { report_id: reportId } = JSON.parse(String(responseJson)) as CreateReportResponse;
    setSubject({ reportId });
    return new HttpResponse(responseJson, {}, { status: httpStatus as CreationStatus });
  }

  /** A creation without a branch asks no other service first. */
  private async createAtLedger(
    caller: Pick<KeyHolder | ProjectMember, 'projectId' | 'mode'>,
    idempotencyKey: string | undefined,
    request: CreateReportRequest,
    origin: Pick<ledgerApi.CreateReportRequest, 'sourceChannel' | 'entered'>,
  ): Promise<ledgerApi.CreateReportResponse> {
    const { branch_id: branchId } = request;
    const { content_rules: contentRules } = await this.rules.of(caller.projectId);
    const create = (branch: Pick<ledgerApi.CreateReportRequest, 'branchId' | 'isBranchArchived'>) =>
      this.ledger.createReport({
        projectId: caller.projectId,
        projectMode: caller.mode,
        idempotencyKey,
        requestDigest: digestOf('POST /reports', { ...request, ...origin }),
        plateNumber: request.plate_number ?? undefined,
        externalInspectionId: request.external_inspection_id ?? undefined,
        externalVehicleId: request.external_vehicle_id ?? undefined,
        vin: request.vin ?? undefined,
        mileageKm: request.mileage_km ?? undefined,
        ...branch,
        templateKey: request.template ?? '',
        callbackUrl: request.callback_url ?? undefined,
        contentProfile: contentProfile(request),
        contentRules,
        metadataJson: JSON.stringify(request.metadata ?? {}),
        images: (request.images ?? []).map(({ slot, source }) => ({
          slotId: slotId(slot),
          url: source.url,
          clientAssetId: source.client_asset_id ?? undefined,
        })),
        capture: request.capture ? captureOrder(request.capture) : undefined,
        ...origin,
        ...(request.capture ? { sourceChannel: CAPTURED } : {}),
      });
    return branchId === null || branchId === undefined ? create({}) : this.branches.ofCreation(caller.projectId, branchId).then(create);
  }

  /** Longer than for other calls: the ledger waits for every service that stores data of the report. */
  async discard(projectId: string, reportId: string): Promise<HttpResponse> {
    const { responseJson } = await this.ledger.discardReport({ projectId, reportId }, { deadlineMs: DISCARD_DEADLINE_MS });
    return new HttpResponse(responseJson);
  }
}

function refuseForNow(error: unknown): never {
  if (!(error instanceof TooManyWaiting)) throw error;
  throw new DomainError('idempotency_in_progress', {
    param: 'external_inspection_id',
    message: 'Other requests create a report of this inspection; try again later with the same body.',
  });
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
