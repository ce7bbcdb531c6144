import { isUuid } from '@tire/kernel';
import { runAdminCommand } from '@tire/platform';
import { createInterface } from 'node:readline';
import { importLines, type Into } from './legacy/legacy-import';
import { runCheckRestored } from './restored/command';
import { SEALED_COLUMNS } from './sealed-columns';

const [command, ...rest] = process.argv.slice(2);
if (command === 'check-restored') void runCheckRestored(rest).then((code) => (process.exitCode = code));
else
  void runAdminCommand({
    service: 'ledger',
    sealedColumns: SEALED_COLUMNS,
    command: 'import-legacy',
    options: ['project', 'mode'],
    synopsis: 'import-legacy --project ID --mode live|test < reports.jsonl',
    description:
      'import-legacy: one report.v1 document a line. A report that is there already is left alone, so the same file may be imported again.',
    read({ project, mode: projectMode }) {
      if (!project || !isUuid(project) || (projectMode !== 'live' && projectMode !== 'test')) return null;
      return async (database, sealingKeys) => {
        const into: Into = { projectId: project, projectMode, sealingKeys };
        const lines = createInterface({ input: process.stdin });
        const output = await importLines(database, lines, into, (fault) => process.stderr.write(`${fault}\n`));
        return { output, code: output.refused > 0 ? 1 : 0 };
      };
    },
  });
