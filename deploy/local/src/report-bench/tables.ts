import { differenceOf, isAtMost, percentile, rangeOf, ROUNDS_MIN, shareText } from '@tire/test-harness/bench';
import { shown, table } from '../capacity/tables';
import type { Counted } from './counts';
import { cpuOfReport, PLATFORM_PARTS, restMsPerSecond, type Run, stagesOfReport } from './figures';
import { type Form, FORMS, nameOf, type Timed } from './load';
import { groupOf, sums } from './profile';
import { ENGINE_PARTS, type Part, PARTS, STAGES } from './stages';

const KB = 1_000;
const STATEMENT_LETTERS = 90;
const OTHER_CORES_MAX = 0.2;

const ranged = (values: readonly number[]): string => {
  const { median, min, max } = rangeOf(values);
  return values.length === 1 ? shown(median) : `${shown(median)} (${shown(min)} to ${shown(max)})`;
};
export const percent = (share: number): string => `${shown(100 * share)} %`;
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const roundsOf = ({ rounds }: Run, form: Form) => rounds.map(({ forms }) => forms[FORMS.indexOf(form)]!);

const timesOf = (timed: readonly Timed[], of: keyof Timed): number[] => timed.map((one) => one[of]);

/** In each round. */
const medianMs = (run: Run, form: Form, of: keyof Timed): number[] =>
  roundsOf(run, form).map(({ timed }) => percentile(timesOf(timed, of), 0.5));

export function conditions(run: Run): string {
  const spans = run.rounds.flatMap(({ rest, forms }) => [rest, ...forms]);
  const of = (pick: (machine: (typeof spans)[number]['machine']) => number) => ranged(spans.map(({ machine }) => pick(machine)));
  const { real, instant } = run.loads;
  const others = rangeOf(spans.map(({ machine }) => machine.otherCores)).median;
  return [
    `${run.date}, ${run.machine}; interleaved rounds: ${run.rounds.length}, each of ${real.count} reports at ${real.perSecond}/s with the real models and ${instant.count} at ${instant.perSecond}/s with a model that answers at once; ${(run.imageBytes / KB).toFixed(0)} KB a photograph.`,
    `Load average before each span ${of(({ loadBefore }) => loadBefore)}, after it ${of(({ loadAfter }) => loadAfter)}; steal ${of(({ stealPercent }) => stealPercent)} %; cores used by other programs ${of(({ otherCores }) => otherCores)}.`,
    ...(run.rounds.length < ROUNDS_MIN ? [`A short run: fewer than ${ROUNDS_MIN} rounds show no range.`] : []),
    ...(others > OTHER_CORES_MAX ? ['Other programs used the machine meanwhile: latencies are too long, and CPU is more than alone.'] : []),
  ].join('\n');
}

export function latencies(run: Run): string {
  const rows = FORMS.map((form) => {
    const rounds = roundsOf(run, form);
    const timed = rounds.flatMap((round) => round.timed);
    const cells = (['completeMs', 'calledBackMs'] as const).flatMap((of) => {
      const all = timesOf(timed, of);
      return [ranged(medianMs(run, form, of)), shown(percentile(all, 0.95)), shown(percentile(all, 0.99))];
    });
    return [nameOf(form), String(timed.length), String(sumOf(rounds.map(({ failed }) => failed))), ...cells];
  });
  const head = ['accepted to …, ms', 'reports', 'failed', 'complete p50', 'p95', 'p99', 'callback p50', 'p95', 'p99'];
  return table(head, rows);
}

const totalOf = (run: Run, form: Form) => cpuOfReport(run, form, PARTS);
const platformOf = (run: Run, form: Form) => cpuOfReport(run, form, PLATFORM_PARTS);
const platformShareOf = (run: Run, form: Form) => platformOf(run, form).map((ms, round) => ms / totalOf(run, form)[round]!);

/** What stands in the README. */
export function summary(run: Run): string {
  const rows = FORMS.map((form) => [
    nameOf(form),
    ranged(medianMs(run, form, 'completeMs')),
    ranged(medianMs(run, form, 'calledBackMs')),
    ranged(totalOf(run, form)),
    ranged(platformOf(run, form)),
    percentages(platformShareOf(run, form)),
  ]);
  const head = ['of a report', 'accepted to complete p50, ms', 'to callback p50, ms', 'CPU ms', 'the platform, CPU ms', 'its share'];
  return [conditions(run), table(head, rows), engineNote].join('\n\n');
}

export function cpuByService(run: Run): string {
  const rowOf = (name: string, parts: readonly Part[]) => [
    name,
    ...FORMS.map((form) => ranged(cpuOfReport(run, form, parts))),
    shown(sumOf(parts.map((part) => restMsPerSecond(run, part)))),
  ];
  const rows = PARTS.map((part) => rowOf(part, [part]));
  const shares = ['the platform’s share', ...FORMS.map((form) => percentages(platformShareOf(run, form))), ''];
  const beside = (['object store', 'bench'] as const).map((part) => [
    `not counted: ${part}`,
    ...FORMS.map((form) => ranged(cpuOfReport(run, form, [part]))),
    shown(restMsPerSecond(run, part)),
  ]);
  const head = ['CPU ms of a report, measured', ...FORMS.map(nameOf), 'at rest, ms/s'];
  return table(head, [...rows, rowOf('all', PARTS), rowOf('the platform', PLATFORM_PARTS), shares, ...beside]);
}

const percentages = (shares: readonly number[]): string => {
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const text = () => `${ranged(shares.map((share) => 100 * share))} %`;
  return shareText(least < 0 ? least : most, shares.length, text);
};

/** What is attributed to a stage, and its share of a report. */
export function attributedText(ms: number, all: number, rounds: number): string {
  if (!(ms >= 0 && ms <= all)) return 'not sure';
  return `${shown(ms)} (${all === 0 ? 'none' : shareText(ms / all, rounds, percent)})`;
}

export function cpuByStage(run: Run): string {
  const all = FORMS.map((form) => stagesOfReport(run, form));
  const rows = STAGES.map((stage) => [
    stage,
    ...all.map((stages) => attributedText(stages[stage], sumOf(Object.values(stages)), run.rounds.length)),
  ]);
  return table(['CPU ms of a report, attributed', ...FORMS.map(nameOf)], rows);
}

/** The clock of inference itself: a photograph that waits for a core, or for its turn, counts too. */
export function inferenceTimes(run: Run): string {
  const [form] = FORMS as readonly [Form, ...Form[]];
  const rounds = roundsOf(run, form);
  const names = [...new Set(rounds.flatMap(({ inferenceMs }) => Object.keys(inferenceMs)))].sort();
  const rows = names.map((name) => [name, ranged(rounds.map(({ inferenceMs }) => inferenceMs[name] ?? 0))]);
  return table([`ms of a photograph on the clock, by metrics of inference (${nameOf(form)})`, 'mean of a round'], rows);
}

function difference(what: string, one: readonly number[], other: readonly number[]): string {
  const { median, min, max, isSure } = differenceOf(one, other);
  return `${what}: ${shown(median)} ms (${shown(min)} to ${shown(max)})${isSure ? '' : ', not sure'}`;
}

/** Answers to the questions that are asked about the figures. */
export function verdicts(run: Run): string {
  const [url, upload, urlInstant, uploadInstant] = FORMS as readonly [Form, Form, Form, Form];
  const goals = [url, upload].flatMap((form) => [
    `${nameOf(form)}: the platform takes at most 2 % of a report’s CPU: ${isAtMost(platformShareOf(run, form), 0.02)}`,
    `${nameOf(form)}: the platform takes at most 25 ms: ${isAtMost(platformOf(run, form), 25)}`,
  ]);
  const { perSecond } = run.loads.instant;
  const p99 = (form: Form) => roundsOf(run, form).map(({ timed }) => percentile(timesOf(timed, 'completeMs'), 0.99));
  const times = [urlInstant, uploadInstant].flatMap((form) => [
    `${nameOf(form)}: accepted to complete p50 at most 60 ms, at ${perSecond}/s: ${isAtMost(medianMs(run, form, 'completeMs'), 60)}`,
    `${nameOf(form)}: p99 at most 250 ms, at ${perSecond}/s: ${isAtMost(p99(form), 250)}`,
  ]);
  const differences = [
    difference('Pre-signed more than URL, real models, CPU of the platform', platformOf(run, url), platformOf(run, upload)),
    difference('Pre-signed more than URL, instant model, CPU of the platform', platformOf(run, urlInstant), platformOf(run, uploadInstant)),
    difference('Real models more than instant ones, URL, CPU of the platform', platformOf(run, urlInstant), platformOf(run, url)),
    difference(
      'Pre-signed more than URL, instant model, accepted to complete',
      medianMs(run, urlInstant, 'completeMs'),
      medianMs(run, uploadInstant, 'completeMs'),
    ),
  ];
  return [...goals, ...times, ...differences].map((line) => `- ${line}`).join('\n');
}

/** Links by what they carry. */
function bytesBy({ counters }: Counted): Record<string, number> {
  const kindOf = (link: string) => {
    const callee = link.split('-')[1] ?? link;
    if (callee === 'postgres') return 'Postgres KB';
    return callee === 'nats' ? 'NATS KB' : callee === 'objects' ? 'object store KB' : 'gRPC KB';
  };
  return Object.fromEntries(
    sums(
      Object.entries(counters.linkBytes),
      ([link]) => kindOf(link),
      ([, bytes]) => bytes / KB,
    ),
  );
}

function figuresOf(counted: Counted): Record<string, number> {
  const { counters, grpc, statements } = counted;
  const named = (prefix: string, values: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
  return {
    'Postgres statements': sumOf(statements.map(({ calls }) => calls)),
    ...named(
      '· of ',
      Object.fromEntries(
        sums(
          statements,
          ({ database }) => database.replace('tire_', ''),
          ({ calls }) => calls,
        ),
      ),
    ),
    'Postgres commits': sumOf(Object.values(counters.databases).map(({ commits }) => commits)),
    ...named('· commits of ', Object.fromEntries(Object.entries(counters.databases).map(([name, { commits }]) => [name, commits]))),
    'log flushes to disk (fsync)': counters.wal.fsyncs,
    'gRPC calls': sumOf(Object.values(grpc)),
    ...named('· ', grpc),
    'messages in NATS streams': sumOf(Object.values(counters.messages)),
    ...named('· in ', counters.messages),
    'requests to the object store': sumOf(Object.values(counters.s3Requests)),
    ...bytesBy(counted),
  };
}

const LEAST_SHOWN = 0.05;

export function roundTrips({ counted }: Pick<Run, 'counted'>): string {
  const [url, upload] = [figuresOf(counted.url), figuresOf(counted.upload)];
  const names = [...new Set([...Object.keys(url), ...Object.keys(upload)])];
  const rows = names
    .map((name) => ({ name, values: [url[name] ?? 0, upload[name] ?? 0] }))
    .filter(({ values }) => values.some((value) => value >= LEAST_SHOWN));
  return table(
    ['of a report, counted', 'URL', 'pre-signed'],
    rows.map(({ name, values }) => [name, ...values.map(shown)]),
  );
}

export const brief = (text: string): string => `\`${text.replaceAll('|', '\\|').slice(0, STATEMENT_LETTERS)}\``;

export function statements({ counted }: Pick<Run, 'counted'>, count: number): string {
  const { statements: all } = counted.url;
  const rows = all
    .slice(0, count)
    .map(({ database, text, calls, ms }) => [brief(text), database.replace('tire_', ''), shown(calls), shown(ms)]);
  return table(['the most frequent statements of a report, URL', 'database', 'times', 'ms'], rows);
}

/** Where the main thread of each service spends its time, all forms together. */
export function groups({ profiles }: Run, count: number): string {
  const parts = PARTS.filter((part) => profiles.forms.some((form) => form.has(part)));
  const rows = parts.map((part) => {
    const stacks = profiles.forms.flatMap((form) => form.get(part)?.stacks ?? []);
    const found = [...sums(stacks, groupOf, ({ ms }) => ms)];
    const all = sumOf(found.map(([, ms]) => ms));
    return [
      part,
      found
        .slice(0, count)
        .map(([group, ms]) => `${group} ${percent(ms / all)}`)
        .join(', '),
    ];
  });
  return table(['process', 'its main thread, by package (sampled)'], rows);
}

export const engineNote = `The platform is everything but these processes: ${ENGINE_PARTS.join(', ')}.`;
