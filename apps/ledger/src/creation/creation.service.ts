import type { UploadTarget } from '@tire/contracts/api';
import type { assetsApi, ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, assertNever, requireCallable, slotId, type Clock } from '@tire/kernel';
import { Database, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { readOrder, type CreationOrder } from './creation.order';
import { creationAnswer, slotsWithoutAsset } from '../domain/answers';
import type { PublicAddresses } from '../domain/document';
import { judgeRepeatedInspection, judgeRepeatedKey, type StoredAnswer } from '../domain/idempotency';
import { mutableReport } from '../domain/mutability';
import { initialState, type Report, type ReportState } from '../domain/report';
import { slotsOf } from '../domain/templates';
import { findAnswer, recordAnswer, tryLockInspection, tryLockKey } from './idempotency.store';
import { Turns } from './turns';
import { ReportCommands, orThrow, refusalError } from '../reports/report.commands';
import { findResults } from '../reports/reads.store';
import { findInspection, findReport } from '../reports/report.store';
import { issueTargets } from '../images/upload-targets';
import { ASSETS, CREATION } from '../tokens';

export interface CreationSettings {
  readonly addresses: PublicAddresses;
  readonly plainCallbacks: boolean;
  /** Creations of one project that hold a connection of this process at once. */
  readonly atOnce: number;
}

/** Less than the deadline of the call. */
const INSPECTION_WAIT_MS = 3_000;
const PROJECT_WAIT_MS = 2_000;
const OTHER_PROCESS_WAIT_MS = 1_500;
/** Another process that creates a report of the same inspection is usually done by then. */
const RETRY_MS = 50;

/** A new report, a recorded answer of the same key, or an existing report of the same inspection. */
type Outcome =
  | { readonly kind: 'created'; readonly answer: StoredAnswer }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer; readonly state: ReportState }
  | { readonly kind: 'inspection'; readonly state: ReportState };

@Injectable()
export class CreationService {
  /** Two creations of one inspection run one after the other, so that the second finds the first. */
  private readonly inspections = new Turns({ atOnce: 1, waitMs: INSPECTION_WAIT_MS, refusal: inspectionInProgress });
  private readonly projects: Turns;

  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CREATION) private readonly settings: CreationSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.projects = new Turns({ atOnce: settings.atOnce, waitMs: PROJECT_WAIT_MS, refusal: () => new DomainError('service_unavailable') });
  }

  async create(request: ledgerApi.CreateReportRequest): Promise<ledgerApi.CreateReportResponse> {
    const order = readOrder(request, this.clock.now());
    const { httpStatus, responseJson } = await this.answerTo(order);
    return { httpStatus, responseJson };
  }

  private async answerTo(order: CreationOrder): Promise<StoredAnswer> {
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

  private outcomeOf(order: CreationOrder): Promise<Outcome> {
    const { projectId, externalInspectionId, intake } = order.identity;
    const create = () => (intake === 'upload' && !order.entered ? this.createForUpload(order) : this.createOnce(order, []));
    return externalInspectionId === null ? create() : this.inspections.take(`${projectId} ${externalInspectionId}`, create);
  }

  /** Targets are signatures without a row, so they are issued before the transaction, which then never waits for another service. */
  private async createForUpload(order: CreationOrder): Promise<Outcome> {
    const { identity } = order;
    if (mayRepeat(order)) {
      const prior = await this.inTransaction(order, (tx) => findPrior(tx, order));
      if (prior) return prior;
    }
    const ids = slotsOf(identity.template).map(slotId);
    return this.createOnce(order, await issueTargets(this.assets, identity, ids));
  }

  /** A creation is one transaction: a retry never finds half a report. */
  private async createOnce(order: CreationOrder, targets: UploadTarget[]): Promise<Outcome> {
    for (let left = OTHER_PROCESS_WAIT_MS / RETRY_MS; left > 0; left -= 1) {
      const outcome = await this.tryToCreate(order, targets);
      if (outcome) return outcome;
      await pause(RETRY_MS);
    }
    throw inspectionInProgress();
  }

  /** Null while another process creates a report of the inspection. */
  private tryToCreate(order: CreationOrder, targets: UploadTarget[]): Promise<Outcome | null> {
    const { identity, images, entered, idempotencyKey } = order;
    return this.inTransaction(order, async (tx) => {
      const { projectId, externalInspectionId } = identity;
      if (idempotencyKey !== null) await lockKey(tx, projectId, idempotencyKey);
      if (externalInspectionId !== null && !(await tryLockInspection(tx, projectId, externalInspectionId))) return null;
      const prior = await findPrior(tx, order);
      if (prior) return prior;
      // Only a new report is checked: a retry of a report that an earlier rule accepted gets its first answer.
      if (identity.callbackUrl !== null) requireCallable(identity.callbackUrl, 'callback_url', this.settings.plainCallbacks);
      const { state } = await this.commands.carryOut(tx, initialState, { type: 'create', identity, images, entered });
      const report = orThrow(mutableReport(state));
      const answer = this.compose(order, report, targets);
      return { kind: 'created', answer: idempotencyKey === null ? answer : await this.record(tx, order, idempotencyKey, report, answer) };
    });
  }

  /** The existing report of the inspection, with new targets for its empty slots. */
  private async answerForInspection(order: CreationOrder, report: Report): Promise<StoredAnswer> {
    const { identity, entered, idempotencyKey } = order;
    const manual = report.identity.creation.mode === 'manual' && entered !== undefined;
    const results = manual ? await findResults(this.database, identity.projectId, report.identity.reportId) : new Map<string, string>();
    const refusal = judgeRepeatedInspection(report, results, {
      templateKey: identity.template.key,
      contentProfile: identity.contentProfile,
      plateNumber: identity.plateNumber,
      externalVehicleId: identity.externalVehicleId,
      entered: entered?.tires ?? null,
    });
    if (refusal) throw refusalError(refusal);
    const uploads = report.identity.intake === 'upload' && !entered;
    const targets = uploads ? await issueTargets(this.assets, report.identity, slotsWithoutAsset(report)) : [];
    const answer = this.compose(order, report, targets);
    if (idempotencyKey === null) return answer;
    // Under the lock of the key: a concurrent creation with the same key must not find it taken after it has made its report.
    const recorded = await this.inTransaction(order, async (tx) => {
      await lockKey(tx, identity.projectId, idempotencyKey);
      return this.record(tx, order, idempotencyKey, report, answer);
    });
    return orThrow(judgeRepeatedKey(recorded, order.requestDigest, { lifecycle: 'open', report }));
  }

  private inTransaction<T>({ identity: { projectId } }: CreationOrder, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.projects.take(projectId, () => this.database.withProject(projectId, work));
  }

  private compose({ requestDigest }: CreationOrder, report: Report, targets: UploadTarget[]): StoredAnswer {
    const { httpStatus, response } = creationAnswer(report, targets, this.settings.addresses);
    return { requestDigest, httpStatus, responseJson: Buffer.from(JSON.stringify(response)) };
  }

  private record(tx: Tx, order: CreationOrder, idempotencyKey: string, report: Report, answer: StoredAnswer) {
    const { projectId, reportId } = report.identity;
    return recordAnswer(tx, { projectId, idempotencyKey, reportId, ...answer, createdAt: new Date(order.identity.createdAt) });
  }
}

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

async function findPrior(tx: Tx, { identity, idempotencyKey }: CreationOrder): Promise<Outcome | null> {
  const { projectId, externalInspectionId } = identity;
  if (idempotencyKey !== null) {
    const answer = await findAnswer(tx, projectId, idempotencyKey);
    if (answer) return { kind: 'answered', answer, state: await findReport(tx, answer.reportId) };
  }
  if (externalInspectionId === null) return null;
  const state = await findInspection(tx, projectId, externalInspectionId);
  return state.lifecycle === 'absent' ? null : { kind: 'inspection', state };
}
