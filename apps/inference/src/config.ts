import { grpcAddress, grpcConfig, natsConfig, serviceConfig } from '@tire/platform';
import { z } from 'zod';
import { OPERATIONS } from './models/manifest';

const listOf = <T extends string>(values: readonly [T, ...T[]], fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((item) => item.trim()))
    .pipe(z.array(z.enum(values)).min(1));

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
  EXECUTION_PROVIDERS: listOf(['cpu', 'cuda'], 'cpu').describe(
    'What runs the models, in order of preference: cpu, or cuda,cpu. Readiness is refused where one of them is missing.',
  ),
  INFERENCE_OPERATIONS: listOf(OPERATIONS, OPERATIONS.join(',')).describe('What this worker measures: tire.tread, tire.sidewall or both.'),
});

export type Config = z.infer<typeof configSchema>;
