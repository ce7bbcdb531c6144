import { decide, type ReportCommand } from './decide';
import { isRefusal, type Refusal } from './refusal';
import { evolve, type ReportEvent, type ReportState } from './report';

/** What one command did to a report. */
export interface Step {
  readonly before: ReportState;
  /** Empty when the command changed nothing. */
  readonly events: readonly ReportEvent[];
  readonly after: ReportState;
}

/** Each command is decided on the state that the one before it left. A command that is refused changes nothing, and the others go on. */
export function stepsOf(initial: ReportState, commands: readonly ReportCommand[], now: Date): (Step | Refusal)[] {
  let before = initial;
  return commands.map((command) => {
    const events = decide(before, command, now);
    if (isRefusal(events)) return events;
    const step = { before, events, after: events.reduce(evolve, before) };
    before = step.after;
    return step;
  });
}
