import { EVENTS } from '@tire/contracts/events';
import { Outbox, outboxMessage, type OutboxMessage } from '@tire/eventing';
import { CLOCK, DomainError, ERRORS, isUuid, ofReport, Together, type Clock } from '@tire/kernel';
import { afterCommit, Database, logger, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { decide, type ReportCommand } from '../domain/decide';
import { factsOf, workBegunBy, type FactMessage } from '../domain/handover';
import { isRefusal, type Refusal } from '../domain/refusal';
import type { Report, ReportEvent, ReportState } from '../domain/report';
import { mutableReport } from '../domain/mutability';
import { stepsOf } from '../domain/steps';
import { currentCause, recordChanges, type Cause, type CausedStep } from '../history/history.store';
import { Dispatcher } from '../work/dispatcher';
import { findReport, lockReport, saveReport } from './report.store';

const log = logger('ledger.commands');

/** Places of a consumer of facts about images. A project holds half of them: the facts of the images of one report, which are noted together. */
export const FACT_PLACES = 16;

interface Given {
  readonly command: ReportCommand;
  readonly cause: Cause;
}

interface Fact extends Given {
  readonly projectId: string;
  readonly reportId: string;
}

const given = (command: ReportCommand): Given => ({ command, cause: currentCause(command.type) });

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

/** One transaction for each command, or for the facts of one report that are there at once: load, decide, save, publish. */
@Injectable()
export class ReportCommands {
  private readonly facts = new Together<Fact, Result>((facts) => this.allInTurn(facts[0]!.projectId, facts[0]!.reportId, facts));

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

  /**
   * A fact about an unknown or purged report is ignored, and the state is null. Without a deadline, it waits for its turn, and is noted
   * together with others of its report that came meanwhile.
   */
  async note(projectId: string, reportId: string, command: ReportCommand, untilMs?: number): Promise<ReportState | null> {
    try {
      const noted = untilMs === undefined ? this.addFact(projectId, reportId, command) : this.inTurn(projectId, reportId, command, untilMs);
      return (await noted).state;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      log.warn({ report_id: reportId, command: command.type }, 'A fact about an unknown report is ignored');
      return null;
    }
  }

  private addFact(projectId: string, reportId: string, command: ReportCommand): Promise<Result> {
    return this.facts.add(ofReport({ projectId, reportId }), { projectId, reportId, ...given(command) });
  }

  private async inTurn(projectId: string, reportId: string, command: ReportCommand, untilMs: number): Promise<Result> {
    return unlessError((await this.allInTurn(projectId, reportId, [given(command)], untilMs))[0]!);
  }

  private async allInTurn(projectId: string, reportId: string, all: readonly Given[], untilMs?: number): Promise<(Result | DomainError)[]> {
    if (!isUuid(reportId)) throw new DomainError('not_found');
    const work = async (tx: Tx) => this.carryOutAll(tx, await lockReport(tx, reportId), all);
    return this.database.withRecord(projectId, reportId, work, untilMs);
  }

  async carryOut(tx: Tx, before: ReportState, command: ReportCommand): Promise<Result> {
    return unlessError((await this.carryOutAll(tx, before, [given(command)]))[0]!);
  }

  /** The commands of one report, in their order. What they change is saved once. */
  private async carryOutAll(tx: Tx, before: ReportState, all: readonly Given[]): Promise<(Result | DomainError)[]> {
    const now = this.clock.now();
    const decided = stepsOf(
      before,
      all.map(({ command }) => command),
      now,
    );
    const steps = decided.flatMap((step, index): CausedStep[] => {
      if (isRefusal(step) || step.events.length === 0) return [];
      return [{ ...step, command: all[index]!.command.type, cause: all[index]!.cause }];
    });
    // Most changes are one round trip: nothing depends on the answer to a statement.
    if (steps.length > 0) await Promise.all([saveReport(tx, steps, now), recordChanges(tx, steps, now), this.announce(tx, steps)]);
    return decided.map((step) => (isRefusal(step) ? refusalError(step) : { state: step.after, events: step.events }));
  }

  private async announce(tx: Tx, steps: readonly CausedStep[]): Promise<void> {
    const open = steps.flatMap(({ after, events, cause: { headers } }) =>
      after.lifecycle === 'open' ? [{ identity: after.report.identity, events, headers }] : [],
    );
    const facts = open.flatMap(({ identity, events, headers }) =>
      outboxMessages(
        events.flatMap((event) => factsOf(identity, event)),
        headers,
      ),
    );
    await this.outbox.addAll(tx, facts);
    const begun = open.flatMap(({ identity, events }) => events.flatMap((event) => workBegunBy(identity, event)));
    if (begun.length > 0) afterCommit(tx, () => this.dispatcher.nudge(begun));
  }
}

function unlessError(result: Result | DomainError): Result {
  if (result instanceof DomainError) throw result;
  return result;
}

/** Default: in the current trace. */
export const outboxMessages = (facts: readonly FactMessage[], headers?: Record<string, string>): OutboxMessage[] =>
  facts.map(({ event, message, id }) => outboxMessage(EVENTS[event], message, headers ? { id, headers } : { id }));
