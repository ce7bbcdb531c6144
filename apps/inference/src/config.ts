import { callerConfig, grpcAddress, grpcConfig, natsConfig, serviceConfig } from '@tire/platform';
import { z } from 'zod';
import { OPERATIONS } from './models/manifest';
import { PROVIDERS } from './models/providers';

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
  ...callerConfig,
  ...grpcConfig,
  ...natsConfig,
  ASSETS_GRPC_URL: grpcAddress().describe('gRPC address of the assets service, as host:port.'),
  MODEL_REPOSITORY: z
    .string()
    .min(1)
    .default('apps/inference/models')
    .describe('Folder with one subfolder per model, each with a manifest.json; relative to the working directory.'),
  MODEL_REPOSITORY_LOOK_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe(
      'How often the repository is checked. A higher version is verified beside the running one and takes over; its removal brings the lower version back.',
    ),
  EXECUTION_PROVIDERS: listOf(PROVIDERS, 'cpu').describe(
    'What runs the models, in order of preference: cpu, or cuda,cpu. The service is not ready where one of them is missing.',
  ),
  EXECUTION_FALLBACK: flag.describe('true lets models run on the CPU where the requested execution providers are missing.'),
  ANALYSIS_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(120_000)
    .default(25_000)
    .describe(
      'CPU time that an image may take in its model when it runs alone; more on a slow machine, as measured with the golden image. The first attempt runs beside others and may take less.',
    ),
  MEMORY_CEILING_MIB: z.coerce
    .number()
    .int()
    .min(256)
    .default(1_536)
    .describe(
      'Resident memory of the process and its model processes at which these are replaced. Where that does not help, the process drains and ends. Processes that decode images come on top.',
    ),
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
