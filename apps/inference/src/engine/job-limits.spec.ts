import { jobLimits } from './job-limits';

it('gives an image more CPU time on a slower machine', () => {
  expect(jobLimits(4_000, 25_000, false).cpuMs).toBe(2 * jobLimits(2_000, 25_000, false).cpuMs);
  expect(jobLimits(4_000, 25_000, true).cpuMs).toBe(80_000);
});

it('gives the first attempt less than the one that runs alone, and never less than the floor', () => {
  expect(jobLimits(1_000, 25_000, false)).toEqual({ cpuMs: 8_000, wallMs: 48_000 });
  expect(jobLimits(1_000, 25_000, true)).toEqual({ cpuMs: 25_000, wallMs: 150_000 });
  expect(jobLimits(1_000, 2_000, false).cpuMs).toBe(8_000);
});
