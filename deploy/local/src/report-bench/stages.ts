import type { Frame, Stack } from './profile';

export const STAGES = [
  'edge',
  'ledger',
  'outbox and relay',
  'fetch or verify',
  'display images',
  'decode',
  'model',
  'pre- and post-processing',
  'inference worker',
  'content',
  'share page',
  'callback',
  'Postgres',
  'NATS',
] as const;
export type Stage = (typeof STAGES)[number];

/** Kinds of processes whose CPU is read apart from each other. */
export const PARTS = [
  'gateway',
  'ledger',
  'assets',
  'assets: decode',
  'inference',
  'inference: decode',
  'inference: tire.tread',
  'inference: tire.sidewall',
  'content',
  'share',
  'postgres',
  'nats',
] as const;
export type Part = (typeof PARTS)[number];

/** Work that comes with no frame of a stage on its stack belongs to the stage of its process: reading sockets, clients of Postgres and gRPC. */
const STAGE_OF_PART: Readonly<Record<Part, Stage>> = {
  gateway: 'edge',
  ledger: 'ledger',
  assets: 'fetch or verify',
  'assets: decode': 'display images',
  inference: 'inference worker',
  'inference: decode': 'decode',
  'inference: tire.tread': 'inference worker',
  'inference: tire.sidewall': 'inference worker',
  content: 'content',
  share: 'share page',
  postgres: 'Postgres',
  nats: 'NATS',
};

const STAGE_OF_FILE: readonly (readonly [RegExp, Stage])[] = [
  [/^libs\/eventing\//, 'outbox and relay'],
  [/^apps\/gateway\//, 'edge'],
  [/^apps\/ledger\//, 'ledger'],
  [/^apps\/assets\/src\/display\//, 'display images'],
  [/^apps\/assets\//, 'fetch or verify'],
  [/^apps\/inference\/src\/(domain|models|imaging)\//, 'pre- and post-processing'],
  [/^node_modules\/onnxruntime/, 'model'],
  [/^apps\/inference\//, 'inference worker'],
  [/^apps\/content\//, 'content'],
  [/^apps\/share\/src\/(callbacks|listeners|webhook-secrets)\//, 'callback'],
  [/^apps\/share\//, 'share page'],
];

export const MODELS: readonly Part[] = ['inference: tire.tread', 'inference: tire.sidewall'];

/** The stages of the engine. All others are the platform's share. */
export const ENGINE_STAGES: readonly Stage[] = ['decode', 'model', 'pre- and post-processing'];
/** The parts that hold the engine, as far as whole processes do. */
export const ENGINE_PARTS: readonly Part[] = ['inference: decode', ...MODELS];

const stageOfFile = ({ file }: Frame): Stage | undefined => STAGE_OF_FILE.find(([pattern]) => pattern.test(file))?.[1];

/** The stage of the function nearest to the one that runs. Undefined where no frame of the stack belongs to one. */
export function stageOf({ frames }: Stack): Stage | undefined {
  for (const frame of frames.toReversed()) {
    const stage = stageOfFile(frame);
    if (stage) return stage;
  }
  return undefined;
}

export type StageMs = Readonly<Partial<Record<Stage, number>>>;

/** The stage for which a process worked when the stack was seen. */
function stageIn(part: Part, stack: Stack): Stage {
  const stage = stageOf(stack) ?? STAGE_OF_PART[part];
  // The worker hands pixels to the processes that compute.
  return part === 'inference' && stage === 'pre- and post-processing' ? 'inference worker' : stage;
}

/** Garbage collection and native code without a caller serve all stages of a process: they are shared as the rest is. */
const isShared = ({ frames }: Stack): boolean => frames.every(({ file }) => file === '');

/** Milliseconds of the samples of a process, by stage. */
export function sampledStages(part: Part, stacks: readonly Stack[]): StageMs {
  const found: Partial<Record<Stage, number>> = {};
  for (const stack of stacks) {
    if (isShared(stack)) continue;
    const stage = stageIn(part, stack);
    found[stage] = (found[stage] ?? 0) + stack.ms;
  }
  return found;
}

/** Those of a stage. Garbage collection is shown with the stage of its process. */
export const stacksIn = (stage: Stage, part: Part, stacks: readonly Stack[]): Stack[] =>
  stacks.filter((stack) => stageIn(part, stack) === stage);

/** What the reports added to the work of a process at rest. */
export function withoutRest(sampled: StageMs, rest: StageMs, restSeconds: number, seconds: number): StageMs {
  const ofRest = (stage: Stage) => ((rest[stage] ?? 0) * seconds) / restSeconds;
  return Object.fromEntries(STAGES.map((stage) => [stage, Math.max(0, (sampled[stage] ?? 0) - ofRest(stage))]));
}

export const total = (values: StageMs): number => Object.values(values).reduce((sum, value) => sum + value, 0);

export interface Sampled {
  readonly stages: StageMs;
  /** The part of the CPU time of the process that its main thread used, the only one that is sampled. */
  readonly mainShare: number;
}

/**
 * Divides the measured CPU of a process among stages as its samples are. Where a model is computed, the other threads of its process compute
 * it; those of other processes work for what the main thread does.
 */
export function attributed(part: Part, cpuMs: number, { stages, mainShare }: Sampled): StageMs {
  const sampledMs = total(stages);
  const isModel = MODELS.includes(part);
  if (sampledMs === 0) return { [isModel ? 'model' : STAGE_OF_PART[part]]: cpuMs };
  const divided = (ms: number) => STAGES.map((stage) => [stage, (ms * (stages[stage] ?? 0)) / sampledMs] as const);
  if (!isModel || !stages.model) return Object.fromEntries(divided(cpuMs));
  const ofMain = Object.fromEntries(divided(cpuMs * mainShare)) as Record<Stage, number>;
  return { ...ofMain, model: ofMain.model + cpuMs * (1 - mainShare) };
}

export const summed = (all: readonly StageMs[]): Record<Stage, number> =>
  Object.fromEntries(STAGES.map((stage) => [stage, all.reduce((sum, one) => sum + (one[stage] ?? 0), 0)])) as Record<Stage, number>;
