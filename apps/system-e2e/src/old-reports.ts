import { randomUUID } from 'node:crypto';
import { apiWith, command, newKey, newProject } from './world';
import type { Api } from './api';

interface OldReport {
  readonly api: Api;
  readonly report: string;
  readonly inspection: string;
}

/** What the import command takes over into a project of its own. */
export async function importReport(mode: 'test' | 'live', old: object): Promise<Api> {
  const project = await newProject(mode);
  const args = ['import-legacy', '--project', project, '--mode', mode];
  // Twice the same line: taking it over is repeatable.
  await command('ledger', args, `${JSON.stringify(old)}\n`.repeat(2));
  return apiWith((await newKey(project, 'report:*')).key);
}

/** A report of long ago of which little is left: in a test project its time is over. */
export async function oldReport(mode: 'test' | 'live'): Promise<OldReport> {
  const [report, inspection] = [randomUUID(), randomUUID()];
  const api = await importReport(mode, {
    report_id: report,
    template: { key: 'tire_4t_0s' },
    client_context: { external_inspection_id: inspection },
    timestamps: { created_at: '2024-03-01T01:02:03.000Z' },
    slots: [],
  });
  return { api, report, inspection };
}
