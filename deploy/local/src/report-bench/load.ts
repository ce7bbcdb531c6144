import { eventually } from '@tire/test-harness';
import { queryDatabase } from '@tire/test-harness/bench';
import { setTimeout as pause } from 'node:timers/promises';
import { atRate } from '../at-rate';
import type { ReceivedCallback } from '../listeners';
import { type Accepted, type Intake, wholeReport } from '../whole-report';
import type { World } from './world';

export interface Form {
  readonly intake: Intake;
  readonly model: 'real' | 'instant';
}

export const FORMS: readonly Form[] = [
  { intake: 'url', model: 'real' },
  { intake: 'upload', model: 'real' },
  { intake: 'url', model: 'instant' },
  { intake: 'upload', model: 'instant' },
];

export const nameOf = ({ intake, model }: Form): string =>
  `${intake === 'url' ? 'URL' : 'pre-signed'}, ${model === 'real' ? 'real models' : 'instant model'}`;

/** Reports at an even rate. */
export interface Load {
  readonly count: number;
  readonly perSecond: number;
}

export interface Timed {
  readonly completeMs: number;
  readonly calledBackMs: number;
}

export interface Sent {
  readonly timed: readonly Timed[];
  /** Reports that did not become complete and called back. */
  readonly failed: number;
  readonly seconds: number;
}

const CALLED_BACK_WITHIN_MS = 180_000;
/** What follows a callback: its own record, and the ends of messages. */
const SETTLE_MS = 500;
const MS = 1_000;

const reportOf = ({ body }: ReceivedCallback): string => (JSON.parse(body) as { data: { report_id: string } }).data.report_id;

/** Sends the reports and waits for their callbacks. Nothing polls, so that only the reports cost. */
export async function send({ stack, client, samples, callbacks }: World, intake: Intake, { count, perSecond }: Load): Promise<Sent> {
  const beganMs = performance.now();
  const before = callbacks.received.length;
  // A report that is refused counts as failed.
  const one = () => wholeReport(client, stack, samples, intake).then((accepted) => [accepted], refused);
  const accepted = (await atRate(perSecond, count, one)).flat();
  const calledBack = () => new Map(callbacks.received.slice(before).map((callback) => [reportOf(callback), callback.receivedMs]));
  const all = () => {
    const called = calledBack();
    return accepted.every(({ id }) => called.has(id));
  };
  await eventually(all, { timeoutMs: CALLED_BACK_WITHIN_MS }).catch(() => undefined);
  await pause(SETTLE_MS);
  const seconds = (performance.now() - beganMs) / MS;
  const [completed, called] = [await completions(stack, accepted), calledBack()];
  const timed = accepted.flatMap(({ id, acceptedMs }) => {
    const [completedMs, calledMs] = [completed.get(id), called.get(id)];
    if (completedMs === undefined || calledMs === undefined) return [];
    return [{ completeMs: completedMs - acceptedMs, calledBackMs: calledMs - acceptedMs }];
  });
  return { timed, failed: count - timed.length, seconds };
}

function refused(error: Error): [] {
  console.error(`! ${error.message}`);
  return [];
}

const COMPLETED = `
  SELECT report_id AS id, revision_completed_at AS completed FROM reports WHERE report_id = ANY($1) AND analysis_status = 'complete'`;

async function completions(stack: World['stack'], accepted: readonly Accepted[]): Promise<Map<string, number>> {
  const rows = await queryDatabase<{ id: string; completed: Date }>(stack, 'tire_ledger', COMPLETED, [accepted.map(({ id }) => id)]);
  return new Map(rows.map(({ id, completed }) => [id, completed.getTime()]));
}
