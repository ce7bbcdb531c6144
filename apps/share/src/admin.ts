import { isUuid } from '@tire/kernel';
import { Database, databaseConfig, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { isWebhookSecret, newWebhookSecret, WebhookSecret, WebhookSecretsStore } from './webhook-secrets.store';

const USAGE = 'usage: admin set-webhook-secret --project ID [--secret whsec_…]';

async function setWebhookSecret(projectId: string, secret: string): Promise<void> {
  const { DATABASE_URL: url } = parseEnvironment(z.object(databaseConfig));
  const source = new DataSource({ type: 'postgres', url, poolSize: 1, applicationName: 'share-admin', entities: [WebhookSecret] });
  await source.initialize();
  try {
    await new Database(source).withProject(projectId, (tx) => new WebhookSecretsStore().replace(tx, projectId, secret, new Date()));
  } finally {
    await source.destroy();
  }
}

async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { project: { type: 'string' }, secret: { type: 'string' } },
  });
  const { project, secret = newWebhookSecret() } = values;
  if (positionals.join() !== 'set-webhook-secret' || !project || !isUuid(project) || !isWebhookSecret(secret)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  await setWebhookSecret(project, secret);
  process.stdout.write(`${JSON.stringify({ secret })}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
