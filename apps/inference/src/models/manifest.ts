import { z } from 'zod';

export const OPERATIONS = ['tire.tread', 'tire.sidewall'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The engines of production, each a pre- and post-processing, and the operation of each. */
export const ENGINES = {
  'tread-network': 'tire.tread',
  'sidewall-ocr': 'tire.sidewall',
} as const satisfies Record<string, Operation>;

const tensor = z.strictObject({ name: z.string(), datatype: z.enum(['FP32', 'INT64', 'UINT8']), shape: z.array(z.int()) });
const perChannel = z.tuple([z.number(), z.number(), z.number()]);
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a plain file name inside the model folder');
/** One point of a curve measured by tools/measure-batches.ts: images a second at a batch size. */
const curvePoint = z.strictObject({ provider: z.string(), size: z.int().min(1), pictures_per_s: z.number() });

/**
 * The schema of a manifest whose engine is one of `engines`. The manifest describes the model; code contains its pre- and post-processing
 * only.
 */
export const manifestSchema = <Engine extends string>(engines: Readonly<Record<Engine, Operation>>) =>
  z
    .strictObject({
      name: z.string().regex(/^[a-z0-9-]+$/),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      operation: z.enum(OPERATIONS),
      engine: z.enum(Object.keys(engines) as Engine[]),
      platform: z.literal('onnxruntime_onnx'),
      files: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/, 'a sha256 in lower-case hex')),
      input: z.strictObject({ long_side_px: z.int().min(64).max(4096), min_short_side_px: z.int().min(1), max_pixels: z.int().min(1) }),
      networks: z.record(
        z.string(),
        z.strictObject({
          file: fileName,
          normalization: z.strictObject({ mean: perChannel, std: perChannel }),
          inputs: z.array(tensor).min(1),
          outputs: z.array(tensor).min(1),
        }),
      ),
      tables: z.record(z.string(), fileName).default({}),
      thresholds: z.record(z.string(), z.number()),
      batch: z.strictObject({ size: z.int().min(1).max(64), curve: z.array(curvePoint) }).default({ size: 1, curve: [] }),
      training_data: z.string().min(1),
      measured_accuracy: z.array(z.strictObject({ on: z.string(), metric: z.string(), value: z.string() })),
      golden: z.strictObject({ image: fileName, expected: z.record(z.string(), z.number()), tolerance: z.number().min(0) }),
    })
    .refine(({ engine, operation }) => engines[engine as Engine] === operation, {
      path: ['engine'],
      message: 'measures something else than the operation',
    });

export const Manifest = manifestSchema(ENGINES);
export type Manifest = z.infer<typeof Manifest>;
