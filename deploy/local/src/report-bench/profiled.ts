import { setTimeout as pause } from 'node:timers/promises';
import { step } from '../progress';
import { type Form, FORMS, nameOf, send } from './load';
import { readThreads } from './processes';
import { type Stack, stacksOf } from './profile';
import type { Loads } from './rounds';
import { type Part, type Sampled, sampledStages, type StageMs, withoutRest } from './stages';
import type { World } from './world';

export interface ProfiledPart {
  readonly stacks: readonly Stack[];
  readonly stages: StageMs;
  readonly mainShare: number;
  readonly seconds: number;
}

export type ProfiledParts = ReadonlyMap<Part, ProfiledPart>;

export interface Profiles {
  readonly rest: ProfiledParts;
  /** In the order of FORMS. */
  readonly forms: readonly ProfiledParts[];
}

async function recorded(world: World, name: string, model: Form['model'], work: () => Promise<unknown>): Promise<ProfiledParts> {
  await world.agents.tell({ model, profile: name });
  const beganMs = performance.now();
  const pids = [...(await world.agents.parts()).keys()];
  const before = new Map(await Promise.all(pids.map(async (pid) => [pid, await readThreads(pid)] as const)));
  await work();
  const after = new Map(await Promise.all(pids.map(async (pid) => [pid, await readThreads(pid)] as const)));
  const seconds = (performance.now() - beganMs) / 1_000;
  await world.agents.tell({ model, profile: null });
  const parts = (await world.agents.profiles(name)).map(({ part, pid, profile }) => {
    const [one, other, stacks] = [before.get(pid)!, after.get(pid)!, stacksOf(profile)];
    const processMs = other.processMs - one.processMs;
    const mainShare = processMs === 0 ? 1 : Math.min(1, (other.mainMs - one.mainMs) / processMs);
    return [part, { stacks, stages: sampledStages(part, stacks), mainShare, seconds }] as const;
  });
  return new Map(parts);
}

/** Once more each form and the stack at rest, with the sampling profiler of V8 in every process. */
export async function profile(world: World, loads: Loads, restSeconds: number): Promise<Profiles> {
  const resting = await step('profile at rest', () => recorded(world, 'rest', 'real', () => pause(restSeconds * 1_000)));
  const forms: ProfiledParts[] = [];
  for (const [index, form] of FORMS.entries()) {
    const work = () => send(world, form.intake, loads[form.model]);
    forms.push(await step(`profile: ${nameOf(form)}`, () => recorded(world, `form-${index}`, form.model, work)));
  }
  return { rest: resting, forms };
}

/** The samples that the reports added. */
export function addedByReports(part: Part, ofForm: ProfiledParts, ofRest: ProfiledParts): Sampled {
  const [one, rest] = [ofForm.get(part), ofRest.get(part)];
  if (!one) return { stages: {}, mainShare: 1 };
  return {
    stages: rest ? withoutRest(one.stages, rest.stages, rest.seconds, one.seconds) : one.stages,
    mainShare: one.mainShare,
  };
}
