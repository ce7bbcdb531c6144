import { isUuid } from '@tire/kernel';
import { createDataSource, Database, databaseConfig, parseEnvironment } from '@tire/platform';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { importLines, type Into } from './legacy/legacy-import';

const USAGE = `usage: admin import-legacy --project ID --mode live|test < reports.jsonl

One report.v1 document a line. A report that is there already is left alone, so the same file may be imported again.`;

async function importLegacy(into: Into): Promise<number> {
  const { DATABASE_URL: url } = parseEnvironment(z.object(databaseConfig));
  const source = createDataSource({ url, poolSize: 1, applicationName: 'ledger-admin' });
  await source.initialize();
  try {
    const lines = createInterface({ input: process.stdin });
    const counts = await importLines(new Database(source), lines, into, (fault) => process.stderr.write(`${fault}\n`));
    process.stdout.write(`${JSON.stringify(counts)}\n`);
    return counts.refused > 0 ? 1 : 0;
  } finally {
    await source.destroy();
  }
}

async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { project: { type: 'string' }, mode: { type: 'string' } },
  });
  const { project, mode } = values;
  if (positionals.join() !== 'import-legacy' || !project || !isUuid(project) || (mode !== 'live' && mode !== 'test')) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  return importLegacy({ projectId: project, projectMode: mode });
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
