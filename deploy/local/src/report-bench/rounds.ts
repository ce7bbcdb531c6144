import { setTimeout as pause } from 'node:timers/promises';
import { step } from '../progress';
import { type Form, FORMS, type Load, nameOf, send, type Sent } from './load';
import { meanMs, readMetrics, stageTimesOf } from './metrics';
import { type CpuOfParts, differenceOfCpu, type Machine, readCpu, watchOthers } from './processes';
import { MODELS } from './stages';
import type { World } from './world';

export interface Loads {
  readonly real: Load;
  readonly instant: Load;
}

/** CPU in a span of time. */
interface Span {
  readonly seconds: number;
  readonly cpu: CpuOfParts;
  readonly machine: Machine;
}

export interface FormRound extends Span, Sent {
  /** Times of the stages of inference, on the clock, by its metrics. */
  readonly inferenceMs: Readonly<Record<string, number>>;
}

export interface Round {
  readonly rest: Span;
  readonly forms: readonly FormRound[];
}

async function spanOf<T extends { seconds: number }>(world: World, work: () => Promise<T>): Promise<T & Span> {
  const [machine, before] = [watchOthers(), await readCpu(world)];
  const result = await work();
  const cpu = differenceOfCpu(before, await readCpu(world));
  return { ...result, cpu, machine: machine.end(cpu) };
}

async function rest(seconds: number): Promise<{ seconds: number }> {
  await pause(seconds * 1_000);
  return { seconds };
}

/** The real models compute the photographs once, and repeat them then. The processes that decode start, and the code is compiled. */
export async function warmUp(world: World): Promise<void> {
  const found = new Set((await world.agents.parts()).values());
  const missing = MODELS.filter((part) => !found.has(part));
  if (missing.length > 0)
    throw new Error(`agent.cjs is not in the process of ${missing.join(', ')}: it would compute where it should answer at once`);
  for (const model of ['real', 'instant'] as const) {
    await world.agents.tell({ model, profile: null });
    for (const intake of ['url', 'upload'] as const) {
      await step(`warm-up: ${nameOf({ intake, model })}`, async () => {
        const { failed } = await send(world, intake, { count: model === 'real' ? 1 : 5, perSecond: 1 });
        if (failed > 0) throw new Error('A first report did not become complete');
      });
    }
  }
}

const modelsOf = async ({ agents }: World): Promise<string> =>
  [...(await agents.parts())].flatMap(([pid, part]) => (part.startsWith('inference:') ? [`${part} ${pid}`] : [])).join();

async function measureForm(world: World, { intake, model }: Form, load: Load): Promise<FormRound> {
  await world.agents.tell({ model, profile: null });
  const models = await modelsOf(world);
  const before = stageTimesOf(await readMetrics(world, 'inference'));
  const round = await spanOf(world, () => send(world, intake, load));
  // A new process knows no photograph, and the CPU of the former one counts as decode.
  if ((await modelsOf(world)) !== models) console.error('! A process of a model was replaced: this round is not to be trusted');
  return { ...round, inferenceMs: meanMs(before, stageTimesOf(await readMetrics(world, 'inference'))) };
}

/** All forms once, beginning with another one in each round, and the stack at rest. */
export async function measureRound(world: World, index: number, loads: Loads, restSeconds: number): Promise<Round> {
  const resting = await spanOf(world, () => rest(restSeconds));
  const measured = new Map<Form, FormRound>();
  for (let turn = 0; turn < FORMS.length; turn += 1) {
    const form = FORMS[(turn + index) % FORMS.length]!;
    measured.set(form, await step(nameOf(form), () => measureForm(world, form, loads[form.model])));
  }
  return { rest: resting, forms: FORMS.map((form) => measured.get(form)!) };
}
