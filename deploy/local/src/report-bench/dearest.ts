import { rangeOf, shareText } from '@tire/test-harness/bench';
import { shown } from '../capacity/tables';
import { cpuOfReport, type Run, stagesOfReport } from './figures';
import { type Form, FORMS, nameOf } from './load';
import { functionOf, sums } from './profile';
import { ENGINE_STAGES, type Part, type Stage, stacksIn } from './stages';
import { brief, percent, sumOf } from './tables';

const ms = (run: Run, form: Form, part: Part): string => `${shown(rangeOf(cpuOfReport(run, form, [part])).median)} ms`;

/** Processes that only this stage uses. */
function processesOf(run: Run, form: Form, stage: Stage): string[] {
  if (stage === 'decode') return [`${ms(run, form, 'inference: decode')} in the process that decodes for inference`];
  if (stage === 'display images') return [`${ms(run, form, 'assets: decode')} in the process that decodes and encodes for assets`];
  if (stage !== 'model') return [];
  return (['inference: tire.tread', 'inference: tire.sidewall'] as const).map(
    (part) => `${ms(run, form, part)} in the process of ${part.replace('inference: ', '')} with its pre- and post-processing`,
  );
}

/** What a stage is made of: its processes, its functions and the packages that it calls, or its statements. */
function detailOf(run: Run, form: Form, stage: Stage): string {
  if (stage === 'Postgres') {
    const dearest = run.counted[form.intake].statements.toSorted((one, other) => other.ms - one.ms).slice(0, 3);
    return dearest.map((statement) => `${shown(statement.ms)} ms in ${shown(statement.calls)} × ${brief(statement.text)}`).join(', ');
  }
  const processes = processesOf(run, form, stage);
  if (processes.length > 0) return processes.join(', ');
  const profiled = run.profiles.forms[FORMS.indexOf(form)]!;
  const stacks = [...profiled].flatMap(([part, { stacks: all }]) => stacksIn(stage, part, all));
  const functions = [...sums(stacks, functionOf, (stack) => stack.ms)];
  const all = sumOf(functions.map(([, spent]) => spent));
  return functions
    .slice(0, 4)
    .map(([name, spent]) => `${name} ${percent(spent / all)}`)
    .join(', ');
}

export function dearest(run: Run): string {
  const lines = FORMS.flatMap((form) => {
    const stages = Object.entries(stagesOfReport(run, form)) as [Stage, number][];
    const all = sumOf(stages.map(([, ms]) => ms));
    const three = (title: string, chosen: readonly [Stage, number][]) => {
      const most = chosen.toSorted(([, one], [, other]) => other - one).slice(0, 3);
      const named = most.map(
        ([stage, ms], index) =>
          `  ${index + 1}. ${stage}: ${shown(ms)} ms, ${shareText(ms / all, run.rounds.length, percent)} (${detailOf(run, form, stage)})`,
      );
      return [`- ${nameOf(form)}, ${title}:`, ...named];
    };
    return [
      ...three('of all', stages),
      ...three(
        'of the platform',
        stages.filter(([stage]) => !ENGINE_STAGES.includes(stage)),
      ),
    ];
  });
  return `The three dearest things of a report:\n\n${lines.join('\n')}`;
}
