import { EVENTS } from '@tire/contracts/events';
import { Outbox, outboxMessage, type OutboxMessage } from '@tire/eventing';
import { CLOCK, DomainError, ERRORS, isUuid, type Clock } from '@tire/kernel';
import { afterCommit, Database, logger, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { decide, type ReportCommand } from '../domain/decide';
import { factsOf, workBegunBy, type FactMessage } from '../domain/handover';
import { isRefusal, type Refusal } from '../domain/refusal';
import { evolve, type Report, type ReportEvent, type ReportState } from '../domain/report';
import { mutableReport } from '../domain/mutability';
import { recordChange } from '../history/history.store';
import { Dispatcher } from '../work/dispatcher';
import { findReport, lockReport, saveReport } from './report.store';

const log = logger('ledger.commands');

export interface Result {
  readonly state: ReportState;
  /** Empty when the command changed nothing. */
  readonly events: readonly ReportEvent[];
}

export const refusalError = ({ refused, message = ERRORS[refused].message, ...details }: Refusal): DomainError =>
  new DomainError(refused, { message, ...details });

export function orThrow<T extends object>(checked: T | Refusal): T {
  if (isRefusal(checked)) throw refusalError(checked);
  return checked;
}

/** The faults of both in one error. */
export function allOrThrow<T extends object, U extends object>(one: T | Refusal, other: U | Refusal): [T, U] {
  if (isRefusal(one) && isRefusal(other)) throw refusalError({ ...one, faults: [...one.faults, ...other.faults] });
  return [orThrow(one), orThrow(other)];
}

/** One transaction for each command: load, decide, save, publish. */
@Injectable()
export class ReportCommands {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly dispatcher: Dispatcher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Executes the command of a request. It is refused if the turn of the report does not come in time. */
  execute(projectId: string, reportId: string, command: ReportCommand): Promise<Result> {
    return this.inTurn(projectId, reportId, command, turnDeadline());
  }

  /** Executes a command that only an open report allows. */
  async change(projectId: string, reportId: string, command: ReportCommand): Promise<{ report: Report; events: readonly ReportEvent[] }> {
    const { state, events } = await this.execute(projectId, reportId, command);
    return { report: orThrow(mutableReport(state)), events };
  }

  /** The report before a change, for checks outside the transaction. */
  async mutable(projectId: string, reportId: string): Promise<Report> {
    if (!isUuid(reportId)) throw new DomainError('not_found');
    return orThrow(mutableReport(await this.database.withProject(projectId, (tx) => findReport(tx, reportId))));
  }

  /** Throws the refusal of a command early, before costly work for it. The command decides again, by the state at its time. */
  check(report: Report, command: ReportCommand): void {
    orThrow(decide({ lifecycle: 'open', report }, command, this.clock.now()));
  }

  /** The report as reads see it: a closed report is not found. */
  async served(projectId: string, reportId: string): Promise<Report> {
    const state = isUuid(reportId) ? await this.database.withProject(projectId, (tx) => findReport(tx, reportId)) : null;
    if (state?.lifecycle !== 'open') throw new DomainError('not_found');
    return state.report;
  }

  /** A fact about an unknown or purged report is ignored, and the state is null. Without a deadline, it waits for its turn. */
  async note(projectId: string, reportId: string, command: ReportCommand, untilMs?: number): Promise<ReportState | null> {
    try {
      return (await this.inTurn(projectId, reportId, command, untilMs)).state;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      log.warn({ report_id: reportId, command: command.type }, 'A fact about an unknown report is ignored');
      return null;
    }
  }

  private async inTurn(projectId: string, reportId: string, command: ReportCommand, untilMs?: number): Promise<Result> {
    if (!isUuid(reportId)) throw new DomainError('not_found');
    const work = async (tx: Tx) => this.carryOut(tx, await lockReport(tx, reportId), command);
    return this.database.withRecord(projectId, reportId, work, untilMs);
  }

  async carryOut(tx: Tx, before: ReportState, command: ReportCommand): Promise<Result> {
    const now = this.clock.now();
    const events = orThrow(decide(before, command, now));
    const state = events.reduce(evolve, before);
    if (events.length === 0) return { state, events };
    // Most changes are one round trip: nothing depends on the answer to a statement.
    await Promise.all([
      saveReport(tx, before, state, events, now),
      ...(before.lifecycle === 'open' ? [recordChange(tx, before.report, { command: command.type, events, at: now })] : []),
      ...(state.lifecycle === 'open' ? [this.announce(tx, state.report, events)] : []),
    ]);
    return { state, events };
  }

  private async announce(tx: Tx, { identity }: Report, events: readonly ReportEvent[]): Promise<void> {
    await this.outbox.addAll(tx, outboxMessages(events.flatMap((event) => factsOf(identity, event))));
    const begun = events.flatMap((event) => workBegunBy(identity, event));
    if (begun.length > 0) afterCommit(tx, () => this.dispatcher.nudge(begun));
  }
}

export const outboxMessages = (facts: readonly FactMessage[]): OutboxMessage[] =>
  facts.map(({ event, message, id }) => outboxMessage(EVENTS[event], message, { id }));
