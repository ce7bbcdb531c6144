import type { CreateReportResponse, UploadTarget } from '@tire/contracts/api';
import type { assetsApi, ledgerApi } from '@tire/contracts/grpc';
import {
  CLOCK,
  DomainError,
  FairTurns,
  WaitedTooLong,
  assertNever,
  callbackFaults,
  fault,
  refuseFaulty,
  slotId,
  type Clock,
  type Fault,
} from '@tire/kernel';
import { ASSETS, Database, setSubject, turnDeadline, type PromiseClient, type SealingKeys, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { captureUrl, returnUrlFaults } from '../capture/capture.link';
import { readOrder, type CreationOrder } from './creation.order';
import { creationAnswer, slotsWithoutAsset } from '../domain/answers';
import { shareUrl, type PublicAddresses } from '../domain/document';
import { judgeRepeatedInspection, judgeRepeatedKey, type StoredAnswer } from '../domain/idempotency';
import { mutableReport } from '../domain/mutability';
import { initialState, type Report, type ReportState } from '../domain/report';
import { slotsOf } from '../domain/templates';
import { faultyImageAddresses } from './image-addresses';
import { findAnswer, recordAnswer, tryLockInspection, tryLockKey } from './idempotency.store';
import { ReportCommands, orThrow, refusalError } from '../reports/report.commands';
import { findResults } from '../reports/reads.store';
import { findInspection, findReport } from '../reports/report.store';
import { openToken } from '../reports/share-token';
import { issueTargets } from '../images/upload-targets';
import { CREATION } from '../tokens';

export interface CreationSettings {
  readonly addresses: PublicAddresses;
  readonly sealingKeys: SealingKeys;
  readonly plainCallbacks: boolean;
  /** Those that the guard of the fetches lets through, in development only. */
  readonly allowedImageOrigins: ReadonlySet<string>;
}

/** Another process that creates a report of the same inspection is usually done by then. */
const RETRY_MS = 50;

interface TimedOrder extends CreationOrder {
  /** It waits until this time of `performance.now()`, for its turns and for other processes together. */
  readonly untilMs: number;
}

/** A new report, a recorded answer of the same key, or an existing report of the same inspection. */
type Outcome =
  | { readonly kind: 'created'; readonly answer: StoredAnswer }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer; readonly state: ReportState }
  | { readonly kind: 'inspection'; readonly state: ReportState };

@Injectable()
export class CreationService {
  /** Two creations of one inspection run one after the other, so that the second finds the first. */
  private readonly inspections = new FairTurns({ capacity: Infinity, ofKey: 1 });

  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CREATION) private readonly settings: CreationSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(request: ledgerApi.CreateReportRequest): Promise<ledgerApi.CreateReportResponse> {
    const order = { ...readOrder(request, this.settings.sealingKeys, this.clock.now()), untilMs: turnDeadline() };
    const { httpStatus, responseJson } = await this.answerTo(order);
    return { httpStatus, responseJson: responseJson() };
  }

  private async answerTo(order: TimedOrder): Promise<StoredAnswer> {
    const outcome = await this.outcomeOf(order);
    switch (outcome.kind) {
      case 'created':
        return outcome.answer;
      case 'answered':
        return orThrow(judgeRepeatedKey(outcome.answer, order.requestDigest, outcome.state));
      case 'inspection':
        return this.answerForInspection(order, orThrow(mutableReport(outcome.state)));
      default:
        return assertNever(outcome);
    }
  }

  private outcomeOf(order: TimedOrder): Promise<Outcome> {
    const { projectId, externalInspectionId, intake } = order.identity;
    const create = () => (intake === 'upload' && !order.entered ? this.createForUpload(order) : this.createOnce(order, []));
    if (externalInspectionId === null) return create();
    const turn = this.inspections.run(`${projectId} ${externalInspectionId}`, create, { untilMs: order.untilMs });
    return turn.catch((error: unknown) => {
      throw error instanceof WaitedTooLong ? inspectionInProgress() : error;
    });
  }

  /** Targets are signatures without a row, so they are issued before the transaction, which then never waits for another service. */
  private async createForUpload(order: TimedOrder): Promise<Outcome> {
    const { identity } = order;
    if (mayRepeat(order)) {
      const prior = await this.inTransaction(order, (tx) => findPrior(tx, this.settings.sealingKeys, order));
      if (prior) return prior;
    }
    const ids = slotsOf(identity.template).map(slotId);
    return this.createOnce(order, await issueTargets(this.assets, identity, ids));
  }

  /** A creation is one transaction: a retry never finds half a report. */
  private async createOnce(order: TimedOrder, targets: UploadTarget[]): Promise<Outcome> {
    for (;;) {
      const outcome = await this.tryToCreate(order, targets);
      if (outcome) return outcome;
      if (performance.now() + RETRY_MS >= order.untilMs) throw inspectionInProgress();
      await pause(RETRY_MS);
    }
  }

  /** Null while another process creates a report of the inspection. */
  private tryToCreate(order: TimedOrder, targets: UploadTarget[]): Promise<Outcome | null> {
    const { identity, images, capture, entered, idempotencyKey } = order;
    return this.inTransaction(order, async (tx) => {
      const { projectId, externalInspectionId } = identity;
      if (idempotencyKey !== null) await lockKey(tx, projectId, idempotencyKey);
      if (externalInspectionId !== null && !(await tryLockInspection(tx, projectId, externalInspectionId))) return null;
      const prior = await findPrior(tx, this.settings.sealingKeys, order);
      if (prior) return prior;
      // Only a new report is checked: a retry of a report that an earlier rule accepted gets its first answer.
      refuseFaulty([...this.faultyAddresses(order), ...faultyBranch(order)]);
      const command = { type: 'create' as const, identity, images, capture: capture?.link, entered };
      const { state } = await this.commands.carryOut(tx, initialState, command);
      const report = orThrow(mutableReport(state));
      const answer = this.compose(order, report, targets, capture?.token);
      return { kind: 'created', answer: idempotencyKey === null ? answer : await this.record(tx, order, idempotencyKey, report, answer) };
    });
  }

  private faultyAddresses({ identity: { callbackUrl }, images, capture }: CreationOrder): Fault[] {
    const { plainCallbacks, allowedImageOrigins } = this.settings;
    return [
      ...(callbackUrl === null ? [] : callbackFaults(callbackUrl, 'callback_url', plainCallbacks)),
      ...faultyImageAddresses(images, allowedImageOrigins),
      ...(capture === null ? [] : returnUrlFaults(capture.link, 'capture.return_url', plainCallbacks)),
    ];
  }

  /** The existing report of the inspection, with new targets for its empty slots. */
  private async answerForInspection(order: TimedOrder, report: Report): Promise<StoredAnswer> {
    const { identity, entered, idempotencyKey } = order;
    const manual = report.identity.creation.mode === 'manual' && entered !== undefined;
    const results = manual ? await findResults(this.database, identity.projectId, report.identity.reportId) : new Map<string, string>();
    const refusal = judgeRepeatedInspection(report, results, {
      templateKey: identity.template.key,
      contentProfile: identity.contentProfile,
      plateNumber: identity.plateNumber,
      vin: identity.vin,
      externalVehicleId: identity.externalVehicleId,
      entered: entered?.tires ?? null,
    });
    if (refusal) throw refusalError(refusal);
    const uploads = report.identity.intake === 'upload' && !entered;
    const targets = uploads ? await issueTargets(this.assets, report.identity, slotsWithoutAsset(report)) : [];
    const answer = this.compose(order, report, targets);
    if (idempotencyKey === null) return answer;
    // The lock of the key is held: a concurrent creation must not find the key taken after it has made its report.
    const recorded = await this.inTransaction(order, async (tx) => {
      await lockKey(tx, identity.projectId, idempotencyKey);
      return this.record(tx, order, idempotencyKey, report, answer);
    });
    return orThrow(judgeRepeatedKey(recorded, order.requestDigest, { lifecycle: 'open', report }));
  }

  private inTransaction<T>({ identity: { projectId }, untilMs }: TimedOrder, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.withProjectInTurn(projectId, work, untilMs);
  }

  /** Only a new report has a capture link in its answer: an existing one has a link already, whose token is not stored. */
  private compose({ requestDigest }: CreationOrder, report: Report, targets: UploadTarget[], captureToken?: string): StoredAnswer {
    const { addresses, sealingKeys } = this.settings;
    setSubject({ reportId: report.identity.reportId });
    // After a reissue only the new link opens.
    const { sealed } = report.publication.link?.token ?? report.identity.shareToken;
    const page = shareUrl(addresses, openToken(sealingKeys, report.identity, sealed));
    const { httpStatus, response } = creationAnswer(report, targets, page);
    const capture = captureToken === undefined ? {} : { capture_url: captureUrl(addresses, captureToken) };
    const responseJson = Buffer.from(JSON.stringify({ ...response, ...capture } satisfies CreateReportResponse));
    return { requestDigest, httpStatus, responseJson: () => responseJson };
  }

  private record(tx: Tx, order: TimedOrder, idempotencyKey: string, report: Report, answer: StoredAnswer) {
    const { projectId, reportId } = report.identity;
    return recordAnswer(tx, this.settings.sealingKeys, {
      projectId,
      idempotencyKey,
      reportId,
      ...answer,
      createdAt: new Date(order.identity.createdAt),
    });
  }
}

const faultyBranch = ({ isBranchArchived }: CreationOrder): Fault[] =>
  isBranchArchived ? [fault('branch_id', 'is the id of an archived branch.')] : [];

const inspectionInProgress = (): DomainError =>
  new DomainError('idempotency_in_progress', {
    param: 'external_inspection_id',
    message: 'Another request creates a report of this inspection; try again later with the same body.',
  });

async function lockKey(tx: Tx, projectId: string, idempotencyKey: string): Promise<void> {
  if (!(await tryLockKey(tx, projectId, idempotencyKey))) throw new DomainError('idempotency_in_progress');
}

const mayRepeat = ({ identity, idempotencyKey }: CreationOrder): boolean =>
  idempotencyKey !== null || identity.externalInspectionId !== null;

async function findPrior(tx: Tx, keys: SealingKeys, { identity, idempotencyKey }: CreationOrder): Promise<Outcome | null> {
  const { projectId, externalInspectionId } = identity;
  if (idempotencyKey !== null) {
    const answer = await findAnswer(tx, keys, projectId, idempotencyKey);
    if (answer) return { kind: 'answered', answer, state: await findReport(tx, answer.reportId) };
  }
  if (externalInspectionId === null) return null;
  const state = await findInspection(tx, projectId, externalInspectionId);
  return state.lifecycle === 'absent' ? null : { kind: 'inspection', state };
}
