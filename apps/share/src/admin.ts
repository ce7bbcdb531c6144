import { isUuid } from '@tire/kernel';
import { createDataSource, Database, databaseConfig, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isWebhookSecret, newWebhookSecret, replaceSecret } from './webhooks/webhook-secret.store';

const HOUR_MS = 3_600_000;
// Long enough to give a receiver the new secret in working hours.
const OVERLAP_HOURS = '24';
const OVERLAP_HOURS_MAX = 720;

const USAGE = `usage: admin rotate-webhook-secret --project ID [--secret whsec_…] [--overlap-hours ${OVERLAP_HOURS}]

The new secret signs at once; the one before it signs beside it until the overlap is over (0: it ends now).
The new secret is printed here and nowhere else.`;

interface Rotation {
  readonly projectId: string;
  readonly secret: string;
  readonly overlapMs: number;
}

async function rotate({ projectId, secret, overlapMs }: Rotation): Promise<void> {
  const { DATABASE_URL: url } = parseEnvironment(z.object(databaseConfig));
  const source = createDataSource({ url, poolSize: 1, applicationName: 'share-admin' });
  await source.initialize();
  try {
    await new Database(source).withProject(projectId, (tx) => replaceSecret(tx, projectId, secret, new Date(), overlapMs));
  } finally {
    await source.destroy();
  }
}

function rotationOf(args: string[]): Rotation | null {
  const string = { type: 'string' } as const;
  const options = { project: string, secret: string, 'overlap-hours': string };
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const { project: projectId, secret = newWebhookSecret(), 'overlap-hours': hours = OVERLAP_HOURS } = values;
  if (positionals.join() !== 'rotate-webhook-secret' || !projectId || !isUuid(projectId) || !isWebhookSecret(secret)) return null;
  if (!/^\d{1,3}$/.test(hours) || Number(hours) > OVERLAP_HOURS_MAX) return null;
  return { projectId, secret, overlapMs: Number(hours) * HOUR_MS };
}

async function main(args: string[]): Promise<number> {
  const rotation = rotationOf(args);
  if (!rotation) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  await rotate(rotation);
  process.stdout.write(`${JSON.stringify({ secret: rotation.secret })}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
