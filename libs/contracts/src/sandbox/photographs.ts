import type { SandboxName } from '@tire/kernel';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisFinished } from '../events';

/** At the same place below the source and below a build. */
const FOLDER = join(__dirname, '../../assets/sandbox');

/** The bytes of a well-known photograph, as partners download them. */
export const sandboxBytes = (name: SandboxName): Promise<Buffer> => readFile(join(FOLDER, `${name}.jpg`));

export type RecordedMeasurement = Pick<AnalysisFinished, 'outcome' | 'retakeReasons' | 'imageHash'> & {
  /** The model that measured the photograph when it was recorded. */
  readonly model: string;
};

/** What was measured once in each photograph that does not fail: `apps/inference/tools/record-sandbox.ts` wrote it. */
export const recordedMeasurements = (): ReadonlyMap<string, RecordedMeasurement> =>
  new Map(Object.entries(JSON.parse(readFileSync(join(FOLDER, 'measurements.json'), 'utf8')) as Record<string, RecordedMeasurement>));
