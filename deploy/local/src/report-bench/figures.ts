import { median } from '@tire/test-harness/bench';
import type { CountedForms } from './counts';
import { type Form, FORMS } from './load';
import { type Beside, type CpuOfParts } from './processes';
import { addedByReports, type Profiles } from './profiled';
import type { Loads, Round } from './rounds';
import { attributed, ENGINE_PARTS, type Part, PARTS, type Stage, summed } from './stages';

export interface Run {
  readonly date: string;
  readonly machine: string;
  readonly loads: Loads;
  readonly rounds: readonly Round[];
  readonly profiles: Profiles;
  readonly counted: CountedForms;
  readonly imageBytes: number;
}

/** Milliseconds of CPU in a second of rest, in all rounds together: what the stack does now and then counts too. */
export function restMsPerSecond({ rounds }: Pick<Run, 'rounds'>, part: Part | Beside): number {
  const sumOf = (valueOf: (round: Round) => number) => rounds.reduce((sum, round) => sum + valueOf(round), 0);
  return sumOf(({ rest }) => rest.cpu[part]) / sumOf(({ rest }) => rest.seconds);
}

/** CPU milliseconds of a report in each round, without what the stack takes at rest in the same time. */
export function cpuOfReport(run: Pick<Run, 'rounds' | 'loads'>, form: Form, parts: readonly (keyof CpuOfParts)[]): number[] {
  const index = FORMS.indexOf(form);
  const atRest = parts.reduce((sum, part) => sum + restMsPerSecond(run, part), 0);
  return run.rounds.map(({ forms }) => {
    const { cpu, seconds } = forms[index]!;
    const ms = parts.reduce((sum, part) => sum + cpu[part], 0);
    return (ms - atRest * seconds) / run.loads[form.model].count;
  });
}

/** All but the decode of inference and its models. */
export const PLATFORM_PARTS: readonly Part[] = PARTS.filter((part) => !ENGINE_PARTS.includes(part));

/** The measured CPU of the processes, divided among stages by the profile. */
export function stagesOfReport(run: Run, form: Form): Record<Stage, number> {
  const [profiled, { rest }] = [run.profiles.forms[FORMS.indexOf(form)]!, run.profiles];
  return summed(
    PARTS.map((part) => {
      const ms = Math.max(0, median(cpuOfReport(run, form, [part])));
      return attributed(part, ms, addedByReports(part, profiled, rest));
    }),
  );
}
