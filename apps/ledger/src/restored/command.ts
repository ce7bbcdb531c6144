import { GRPC_SERVICES, type assetsApi, type contentApi, type shareApi } from '@tire/contracts/grpc';
import { systemClock } from '@tire/kernel';
import { callSigner, createDataSource, Database, grpcClient, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { configSchema } from '../config';
import { RestoredCheck, type CheckOptions, type CheckResult } from './restored-check';

export const USAGE = `usage: admin check-restored [--since TIME] [--pages] [--repair]

Compares every report with what content and share have of it, after databases were restored, and prints the differences as JSON.
--since: only reports that changed since (an ISO time). --pages: also requests the page of each published report.
--repair: ends again what was ended, and lets the reconciler request what is missing; then run it again without --repair.
It ends with status 1 if it found a difference.`;

const PAGE_TIMEOUT_MS = 30_000;

/** A page that cannot be reached does not open: the check goes on with the others. */
export const pageOpener =
  (base: string) =>
  async (token: string): Promise<boolean> => {
    try {
      const page = await fetch(`${base}/r/${token}`, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
      await page.arrayBuffer();
      return page.status === 200;
    } catch {
      return false;
    }
  };

/** Null: the arguments are not valid. */
export function optionsOf(args: readonly string[]): CheckOptions | null {
  const options = { since: { type: 'string' }, repair: { type: 'boolean' }, pages: { type: 'boolean' } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const since = values.since === undefined ? null : new Date(values.since);
    if (since && Number.isNaN(since.getTime())) return null;
    return { since, repair: values.repair ?? false, pages: values.pages ?? false };
  } catch {
    return null;
  }
}

export async function checkRestored(options: CheckOptions): Promise<CheckResult> {
  const environment = configSchema.pick({
    DATABASE_URL: true,
    SEALING_KEYS: true,
    ASSETS_GRPC_URL: true,
    SHARE_GRPC_URL: true,
    CONTENT_GRPC_URL: true,
    SHARE_BASE_URL: true,
    SERVICE_PRIVATE_KEY: true,
  });
  const config = parseEnvironment(environment);
  const source = createDataSource({ url: config.DATABASE_URL, poolSize: 8, applicationName: 'ledger-admin' });
  const signed = { signer: callSigner('ledger', config) };
  const content = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, config.CONTENT_GRPC_URL, signed);
  const share = grpcClient<shareApi.ShareServiceClient>(GRPC_SERVICES.share, config.SHARE_GRPC_URL, signed);
  const assets = grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, config.ASSETS_GRPC_URL, signed);
  await source.initialize();
  try {
    const holders = { content, share, assets, opens: pageOpener(config.SHARE_BASE_URL) };
    return await new RestoredCheck(new Database(source), config.SEALING_KEYS, holders, options, systemClock.now()).run();
  } finally {
    await source.destroy();
    for (const client of [content, share, assets]) client.onApplicationShutdown();
  }
}

/** Returns the exit code. */
export async function runCheckRestored(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const result = await checkRestored(options);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return Object.keys(result.differences).length > 0 ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
