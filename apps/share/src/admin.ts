import { DatabaseModule, databaseConfig, Database, parseEnvironment } from '@tire/platform';
import { NestFactory } from '@nestjs/core';
import { isUuid } from '@tire/kernel';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MIGRATIONS } from './migrations';
import { isWebhookSecret, newWebhookSecret, WebhookSecret, WebhookSecretsStore } from './webhook-secrets.store';

const USAGE = 'usage: admin set-webhook-secret --project ID [--secret whsec_…]';

async function setWebhookSecret(projectId: string, secret: string): Promise<void> {
  const { DATABASE_URL: url } = parseEnvironment(z.object(databaseConfig));
  const database = DatabaseModule.forRoot({
    url,
    poolSize: 1,
    applicationName: 'share-admin',
    entities: [WebhookSecret],
    migrations: MIGRATIONS,
  });
  const app = await NestFactory.createApplicationContext(database, { logger: false });
  try {
    await app.get(Database).withProject(projectId, (tx) => new WebhookSecretsStore().replace(tx, projectId, secret, new Date()));
  } finally {
    await app.close();
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
