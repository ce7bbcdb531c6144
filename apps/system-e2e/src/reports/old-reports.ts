import { randomUUID } from 'node:crypto';
import { apiWith, command, newKey, newProject } from '../world';
import type { Api } from '../api/api';

interface OldReport {
  readonly api: Api;
  readonly report: string;
  readonly inspection: string;
}

/** Imports old reports into a separate project. */
export async function importReport(mode: 'test' | 'live', old: object): Promise<Api> {
  const project = await newProject(mode);
  const args = ['import-legacy', '--project', project, '--mode', mode];
  // The same line twice: the import is repeatable.
  await command('ledger', args, `${JSON.stringify(old)}\n`.repeat(2));
  return apiWith((await newKey(project, 'report:*')).key);
}

/** An old report with little data: in a test project its retention has ended. */
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
