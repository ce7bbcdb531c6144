import { parseEnvironment } from '@tire/platform';
import { administer, USAGE, UsageError } from './administration/administration';
import { adminConfig } from './config';

administer(process.argv.slice(2), process.stdin, () => parseEnvironment(adminConfig).DATABASE_URL).then(
  (output) => process.stdout.write(`${output}\n`),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n${USAGE}\n` : `${message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
