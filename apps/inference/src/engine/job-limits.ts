/** Bounds in CPU time: an image that waits for a busy core is not at fault. */
export interface JobLimits {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** The first attempt holds up others, so it gets less time. The second one runs alone. */
const FIRST_LEAST_MS = 8_000;
const FIRST_IN_GOLDENS = 8;
const ALONE_IN_GOLDENS = 20;
/** The factor from CPU time to wall time ends a process that waits without an end. Other programs may use most of the machine. */
const WALL_FACTOR = 6;

/** The golden image measures the machine: on a slow one every image gets more. `configuredMs` is the least for an image that runs alone. */
export function jobLimits(goldenCpuMs: number, configuredMs: number, alone: boolean): JobLimits {
  const aloneMs = Math.max(configuredMs, ALONE_IN_GOLDENS * goldenCpuMs);
  const cpuMs = Math.round(alone ? aloneMs : Math.min(aloneMs, Math.max(FIRST_LEAST_MS, FIRST_IN_GOLDENS * goldenCpuMs)));
  return { cpuMs, wallMs: WALL_FACTOR * cpuMs };
}

/** Loading a model, the proof of its golden image included. */
export const LOADING: JobLimits = { cpuMs: 180_000, wallMs: 900_000 };
