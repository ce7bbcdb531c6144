// A small S3 server in a process of its own, so that its CPU is no part of the bench or of a service. Ends with the bench.
import { startSmallS3 } from '@tire/test-harness';

export const BUCKET = 'report-bench';

async function serve(): Promise<void> {
  const { port, accessKey, secretKey, stop } = await startSmallS3(BUCKET);
  process.on('disconnect', () => void stop().finally(() => process.exit()));
  process.send?.({ port, accessKey, secretKey });
}

if (require.main === module) void serve();
