import { parseEnvironment } from '@tire/platform';
import { administer, USAGE, UsageError } from './administration/administration';
import { adminConfig } from './config';

async function run(args: string[]): Promise<string> {
  const [noun, verb, ...rest] = args;
  // The other commands do not load the clients of services.
  if (noun === 'report' && verb === 'explain') return (await import('./explanations/command')).explained(rest);
  if (noun === 'erasure') return (await import('./erasures/command')).erasure(args.slice(1), process.stdin, process.stdout);
  return administer(args, process.stdin, () => parseEnvironment(adminConfig).DATABASE_URL);
}

run(process.argv.slice(2)).then(
  (output) => process.stdout.write(`${output}\n`),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n${USAGE}\n` : `${message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
