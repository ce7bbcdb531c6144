import { GRPC_SERVICES, type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { isUuid } from '@tire/kernel';
import { callSigner, createDataSource, Database, grpcClient, parseEnvironment } from '@tire/platform';
import { UsageError } from '../administration/administration';
import { explainConfig } from '../config';
import { explainReport } from './explain';
import { formatted } from './explanation';

/** `report explain ID [--json]`: the life of a report from all services, and what it waits for. */
export async function explained(args: readonly string[]): Promise<string> {
  const [reportId = '', ...more] = args.filter((arg) => arg !== '--json');
  if (!isUuid(reportId) || more.length > 0) throw new UsageError('the id of a report is required');
  const config = parseEnvironment(explainConfig);
  const source = createDataSource({ url: config.DATABASE_URL, poolSize: 1, applicationName: 'gateway-admin' });
  const options = { signer: callSigner('gateway', config) };
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL, options);
  const share = grpcClient<shareApi.ShareServiceClient>(GRPC_SERVICES.share, config.SHARE_GRPC_URL, options);
  await source.initialize();
  try {
    const explanation = await explainReport({ database: new Database(source), ledger, share }, reportId);
    return args.includes('--json') ? JSON.stringify(explanation) : formatted(explanation);
  } finally {
    await source.destroy();
    ledger.onApplicationShutdown();
    share.onApplicationShutdown();
  }
}
