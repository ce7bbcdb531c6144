import { grpcAddress, grpcConfig, natsConfig, serviceConfig } from '@tire/platform';
import { z } from 'zod';
import { OPERATIONS } from './models/manifest';

const listOf = <T extends string>(values: readonly [T, ...T[]], fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((item) => item.trim()))
    .pipe(z.array(z.enum(values)).min(1));

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

export const configSchema = z.object({
  ...serviceConfig,
  ...grpcConfig,
  ...natsConfig,
  ASSETS_GRPC_URL: grpcAddress().describe('Where assets listens for gRPC, as host:port.'),
  MODEL_REPOSITORY: z
    .string()
    .min(1)
    .default('apps/inference/models')
    .describe('Folder of models, one folder with a manifest.json a model; relative to the working directory.'),
  MODEL_REPOSITORY_LOOK_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe('How often the repository is looked at: a higher version is proved beside the one that runs and takes over, and back.'),
  EXECUTION_PROVIDERS: listOf(['cpu', 'cuda'], 'cpu').describe(
    'What runs the models, in order of preference: cpu, or cuda,cpu. Readiness is refused where one of them is missing.',
  ),
  EXECUTION_FALLBACK: flag.describe('true lets the CPU stand in where the execution providers asked for cannot be had.'),
  ANALYSIS_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    // A draining process has 30 s for work in progress.
    .max(25_000)
    .default(25_000)
    .describe('How long a photograph may wait for its model and be measured; after that it is given back for another worker.'),
  MEMORY_CEILING_MIB: z.coerce
    .number()
    .int()
    .min(256)
    .default(2_048)
    .describe('Resident memory at which the model threads are renewed, and the process ends, drained, where that does not help.'),
  INFERENCE_OPERATIONS: listOf(OPERATIONS, OPERATIONS.join(',')).describe('What this worker measures: tire.tread, tire.sidewall or both.'),
});

export type Config = z.infer<typeof configSchema>;

/** The environment of the fetch-models command. */
export const fetchModelsConfig = z
  .object({
    MODEL_MANIFESTS: z
      .string()
      .transform((text, context) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          context.addIssue({ code: 'custom', message: 'must be JSON' });
          return z.NEVER;
        }
      })
      .pipe(z.array(z.strictObject({ url: z.url(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).min(1)),
    MODEL_BUCKET_ACCESS_KEY: z.string().min(1).optional(),
    MODEL_BUCKET_SECRET_KEY: z.string().min(1).optional(),
    MODEL_BUCKET_REGION: z.string().min(1).default('us-east-1'),
  })
  .superRefine(({ MODEL_BUCKET_ACCESS_KEY, MODEL_BUCKET_SECRET_KEY }, context) => {
    // With only one of them the request would be anonymous, and the bucket's 403 would not name the reason.
    const halves = { MODEL_BUCKET_ACCESS_KEY, MODEL_BUCKET_SECRET_KEY };
    const missing = Object.entries(halves).filter(([, value]) => value === undefined);
    if (missing.length === 1) context.addIssue({ code: 'custom', path: [missing[0]![0]], message: 'required beside the other' });
  });
