import { ANALYSIS_ERRORS, hashDistance, NEAR_COPY_BITS, SANDBOX_NAMES, sandboxPhotograph } from '@tire/kernel';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxGuide } from './guide';
import { GUIDE_FILES } from './guide-files';
import { recordedMeasurements, sandboxBytes } from './photographs';
import { SANDBOX_SCENARIOS } from './scenarios';

const recorded = recordedMeasurements();

describe('the well-known photographs', () => {
  it.each(SANDBOX_NAMES)('%s has the bytes that its SHA-256 names', async (name) => {
    const bytes = await sandboxBytes(name);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sandboxPhotograph(name).sha256);
    expect(bytes.length).toBeLessThan(128 * 1024);
  });

  it('have a photograph for every public code', () => {
    const codes = SANDBOX_NAMES.flatMap((name) => sandboxPhotograph(name).errorCode ?? []);
    expect(new Set(codes)).toEqual(new Set(Object.keys(ANALYSIS_ERRORS)));
  });

  it('have a recorded measurement of their kind where they do not fail', () => {
    const measured = SANDBOX_NAMES.filter((name) => !sandboxPhotograph(name).errorCode);
    expect([...recorded.keys()].sort()).toEqual([...measured].sort());
    for (const name of measured) expect(recorded.get(name)!.outcome!.$case).toBe(sandboxPhotograph(name).imageType);
  });

  it('are no near copies of each other, so that a scenario has no warning by accident', () => {
    const hashes = [...recorded.values()].map(({ imageHash }) => imageHash!);
    const distances = hashes.flatMap((one, index) => hashes.slice(index + 1).map((other) => hashDistance(one, other)));
    expect(Math.min(...distances)).toBeGreaterThan(NEAR_COPY_BITS);
  });
});

describe('the scenarios', () => {
  it('use every photograph', () => {
    const used = SANDBOX_SCENARIOS.flatMap(({ photographs }) => Object.values(photographs));
    expect(new Set(used)).toEqual(new Set(SANDBOX_NAMES));
  });

  it.each(GUIDE_FILES)('stand in the guide (%s)', (language, file) => {
    expect(readFileSync(join(__dirname, '../../../..', file), 'utf8')).toBe(sandboxGuide(language));
  });
});
