import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LineReader, type Look } from '../domain/sidewall/line-reader';
import { measureSidewall, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../domain/sidewall/size-decoder';
import type { Picture } from '../imaging/decode';
import type { Analysis, Outcome } from './outcome';
import type { ModelFolder } from './repository';

/** What every engine of sidewalls has in its manifest. Without a line a score is what it claims to be. */
export const ConfidenceThresholds = {
  min_confidence: z.number(),
  confidence_slope: z.number().positive().default(1),
  confidence_intercept: z.number().default(0),
  min_band_px: z.number().default(40),
};

export const limitsOf = (t: z.infer<z.ZodObject<typeof ConfidenceThresholds>>): SidewallLimits => ({
  minConfidence: t.min_confidence,
  line: { slope: t.confidence_slope, intercept: t.confidence_intercept },
  minBandPx: t.min_band_px,
});

export async function lineReaderOf({ folder, manifest }: ModelFolder): Promise<LineReader> {
  const table = async (name: string) => readFile(join(folder, manifest.tables[name] ?? `no table ${name}`), 'utf8');
  const characters = (await table('characters')).replace(/\n$/, '').split('\n');
  return new LineReader(parseSizeTable(await table('sizes')), characters);
}

/** An engine that shows what its answers rest on, to those who want to see why. */
export interface Looking {
  readonly limits: SidewallLimits;
  look(picture: Picture): Promise<Look>;
}

/** One after another: what is read next depends on what was read before. */
export async function answered(engine: Looking, pictures: readonly Picture[]): Promise<Analysis[]> {
  const analyses: Analysis[] = [];
  for (const picture of pictures) {
    const started = performance.now();
    const look = await engine.look(picture);
    const looked = performance.now();
    const outcome = outcomeOf(look, engine.limits);
    analyses.push({ outcome, modelMs: looked - started, postMs: performance.now() - looked });
  }
  return analyses;
}

function outcomeOf(look: Look, limits: SidewallLimits): Outcome {
  const { measurement, reasons } = measureSidewall(look, limits, new Date());
  return measurement ? { kind: 'sidewall', measurement, reasons } : { kind: 'error', errorCode: 'sidewall_not_found', reasons };
}
