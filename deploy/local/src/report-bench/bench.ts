// `npm run bench:report [-- --rounds 5 --reports 12 --per-second 1 --real-reports 4 --real-per-second 0.2]`: what whole reports cost, by service and by stage,
// by address and by upload, with the real models and with a model that answers at once. Writes its table, its figures and a flame graph a
// service into .local/report-bench, with --write also into the README and docs/performance.md. With --counts it only counts, and writes nothing.
import { machineText, ROUNDS_MIN } from '@tire/test-harness/bench';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY_ROOT } from '../stack-file';
import { SERVICES } from '../topology';
import { count } from './counts';
import { dearest } from './dearest';
import { writeDocuments } from './document';
import type { Run } from './figures';
import { flameGraph } from './flame';
import { FORMS, nameOf } from './load';
import { type Profiles, profile } from './profiled';
import type { Stack } from './profile';
import { type Loads, measureRound, type Round, warmUp } from './rounds';
import { PARTS } from './stages';
import {
  conditions,
  cpuByService,
  cpuByStage,
  engineNote,
  groups,
  inferenceTimes,
  latencies,
  roundTrips,
  statements,
  summary,
  verdicts,
} from './tables';
import { startWorld } from './world';

const FOLDER = join(REPOSITORY_ROOT, '.local/report-bench');
const REST_SECONDS = 6;
/** There is one profile at rest, so it is longer than one of the rests of the rounds. */
const REST_PROFILE_SECONDS = 15;
const STATEMENTS_SHOWN = 12;
const GROUPS_SHOWN = 6;

async function measured(rounds: number, loads: Loads) {
  const world = await startWorld({ counting: false });
  try {
    await warmUp(world);
    const taken: Round[] = [];
    for (let index = 0; index < rounds; index += 1) {
      console.log(`Round ${index + 1} of ${rounds}`);
      taken.push(await measureRound(world, index, loads, REST_SECONDS));
    }
    const imageBytes = world.samples.reduce((sum, { bytes }) => sum + bytes.length, 0) / world.samples.length;
    return { rounds: taken, profiles: await profile(world, loads, REST_PROFILE_SECONDS), imageBytes };
  } finally {
    await world.stop();
  }
}

/** Under each form the processes of the service. */
function stacksOfService(service: string, { forms }: Profiles): Stack[] {
  return forms.flatMap((parts, index) =>
    PARTS.filter((part) => part.split(':')[0] === service).flatMap((part) =>
      (parts.get(part)?.stacks ?? []).map(({ frames, ms }) => ({
        frames: [{ name: nameOf(FORMS[index]!), file: '' }, { name: part, file: '' }, ...frames],
        ms,
      })),
    ),
  );
}

async function writeFlames(profiles: Profiles): Promise<string[]> {
  const write = async (service: string) => {
    const file = join(FOLDER, `${service}.svg`);
    await writeFile(file, flameGraph(service, stacksOfService(service, profiles)));
    return file;
  };
  return Promise.all(SERVICES.map(write));
}

const printed = (run: Run): string =>
  [
    conditions(run),
    latencies(run),
    cpuByService(run),
    engineNote,
    cpuByStage(run),
    inferenceTimes(run),
    verdicts(run),
    roundTrips(run),
    statements(run, STATEMENTS_SHOWN),
    groups(run, GROUPS_SHOWN),
    dearest(run),
  ].join('\n\n');

const OPTIONS = {
  rounds: { type: 'string', default: String(ROUNDS_MIN) },
  reports: { type: 'string', default: '12' },
  'per-second': { type: 'string', default: '1' },
  'real-reports': { type: 'string', default: '4' },
  'real-per-second': { type: 'string', default: '0.2' },
  write: { type: 'boolean', default: false },
  counts: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.counts) {
    const counted = await count();
    return console.log(`\n${roundTrips({ counted })}\n\n${statements({ counted }, STATEMENTS_SHOWN)}`);
  }
  const loads: Loads = {
    real: { count: Number(values['real-reports']), perSecond: Number(values['real-per-second']) },
    instant: { count: Number(values.reports), perSecond: Number(values['per-second']) },
  };
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const run: Run = {
    date: new Date().toISOString().slice(0, 10),
    machine: machineText(),
    loads,
    ...(await measured(Number(values.rounds), loads)),
    counted: await count(),
  };
  const { profiles, ...figures } = run;
  const [text, files] = [printed(run), await writeFlames(profiles)];
  await writeFile(join(FOLDER, 'figures.json'), `${JSON.stringify(figures, undefined, 2)}\n`);
  await writeFile(join(FOLDER, 'tables.md'), `${text}\n`);
  if (values.write) await writeDocuments({ summary: summary(run), tables: text });
  console.log(`\n${text}\n\nFlame graphs: ${files.join(', ')}`);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error);
    process.exit(1);
  },
);
