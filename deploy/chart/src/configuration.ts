import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from './paths';

const ROW = /^\| `([A-Z0-9_]+)` \| (\S+) \|/m;

export interface Variable {
  readonly name: string;
  readonly required: boolean;
}

/** The environment variables of each service and of its migration, from the generated reference. Other sections have none. */
export function configuration(): Record<string, Variable[]> {
  const text = readFileSync(join(REPOSITORY_ROOT, 'deploy/CONFIGURATION.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections
      .filter((section) => ROW.test(section))
      .map((section) => {
        const rows = [...section.matchAll(new RegExp(ROW, 'gm'))];
        return [section.split('\n', 1)[0]!.trim(), rows.map(([, name, value]) => ({ name: name!, required: value === 'required' }))];
      }),
  );
}

/** Variables that the chart sets, or that have no use in a cluster. */
const NOT_FOR_OPERATORS =
  /^(NODE_ENV|HTTP_HOST|HTTP_PORT|OPERATIONS_PORT|GRPC_HOST|GRPC_PORT|GRPC_AUTH|SERVICE_PRIVATE_KEY|SERVICE_PUBLIC_KEYS|SEALING_KEYS|DRAIN_DELAY_MS|DATABASE_URL|NATS_URL|NATS_PASSWORD|NATS_STREAM_REPLICAS|\w+_GRPC_URL|PUBLIC_API_URL|SHARE_BASE_URL|OBJECT_STORE\w*|TRUSTED_PROXIES|CONSOLE_SECRET_KEY|CONSOLE_OIDC_\w+|SMTP_\w+|SMS_\w+|OUTBOUND_ALLOWED_ORIGINS|INFERENCE_OPERATIONS|EXECUTION_PROVIDERS|MODEL_REPOSITORY)$/;

export const settingsOf = (service: string): string[] => {
  const variables = configuration()[service.replace(/^inference-.*/, 'inference')] ?? [];
  return variables.map(({ name }) => name).filter((name) => !NOT_FOR_OPERATORS.test(name));
};

/** Variables of every service. */
export const commonSettings = (): string[] => {
  const services = Object.entries(configuration()).filter(([name]) => name !== 'Migrations');
  return settingsOf('gateway').filter((name) => services.every(([service]) => settingsOf(service).includes(name)));
};
