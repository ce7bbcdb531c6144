import { CHART } from '@tire/chart';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';

const OUTPUT_BYTES_MAX = 4 * 1_024 * 1_024;
const STEP_MS_MAX = 120_000;

/** The commands of a section: its first block for a shell. */
export function firstStep(alert: string, runbook = readFileSync(join(CHART, 'RUNBOOK.md'), 'utf8')): string {
  const section = runbook.split(`\n## ${alert}\n`)[1]?.split('\n## ')[0];
  const commands = section && /```bash\n([\s\S]*?)```/.exec(section)?.[1];
  if (!commands) throw new Error(`The runbook has no first step for ${alert}`);
  return commands;
}

/** What the first step prints on the local stack, whatever its exit code. */
export async function takeFirstStep(alert: string): Promise<string> {
  const script = `. helm/tire-inspection/oncall.sh\n${firstStep(alert)}`;
  const env = { ...process.env, PLACE: 'local', STACK_DIR: stackDir() };
  const run = promisify(execFile)('bash', ['-c', script], { cwd: REPOSITORY_ROOT, env, maxBuffer: OUTPUT_BYTES_MAX, timeout: STEP_MS_MAX });
  const { stdout, stderr } = await run.catch((error: { stdout?: string; stderr?: string }) => ({
    stdout: error.stdout ?? '',
    stderr: error.stderr ?? '',
  }));
  return `${stdout}\n${stderr}`;
}
