import type { Erasure } from '@tire/contracts/console';
import { queryDatabase } from '@tire/test-harness/bench';
import { eventually } from '@tire/test-harness';
import type { StackFile } from '../stack-file';
import type { Sent } from './load';
import { adminJson, adminText, fatesOf, statusOfPage } from './verify';

const ENDS_WITHIN_MS = 120_000;

const inState = (id: string, state: Erasure['state']): Promise<unknown> =>
  eventually(async () => (await adminJson<Erasure>('gateway', ['erasure', 'show', '--erasure', id])).state === state, {
    timeoutMs: ENDS_WITHIN_MS,
    pollMs: 1_000,
    message: `the erasure is not ${state}`,
  });

/** Erases a report as its person asked, and returns the index of erasures, which is kept apart from the backups. */
export async function erase(stack: StackFile, sent: Sent): Promise<string> {
  const [row] = await queryDatabase<{ project_id: string }>(stack, 'tire_ledger', 'SELECT project_id FROM reports WHERE report_id = $1', [
    sent.reportId,
  ]);
  const asked = ['erasure', 'request', '--project', row!.project_id, '--report', sent.reportId];
  const { erasure_id: id } = await adminJson<Erasure>('gateway', asked);
  await inState(id, 'counted');
  await adminJson('gateway', ['erasure', 'confirm', '--erasure', id, '--reason', 'the drill of a restore']);
  await inState(id, 'done');
  sent.act = 'erased';
  sent.actedMs = Date.now();
  return adminText('gateway', ['erasure', 'index']);
}

/** Erases again what the backup brought back. Returns what is wrong. */
export async function eraseAgain(stack: StackFile, sent: readonly Sent[], index: string): Promise<string[]> {
  const erased = sent.filter(({ act }) => act === 'erased');
  const { replayed, refused } = await adminJson<{ replayed: number; refused: number }>('gateway', ['erasure', 'replay'], index);
  if (replayed !== erased.length || refused > 0) return [`${replayed} erasures of ${erased.length} were replayed, ${refused} refused`];
  const isGone = async () => (await fatesOf(stack, erased)).every(({ report }) => report === null);
  const gone = await eventually(isGone, { timeoutMs: ENDS_WITHIN_MS, pollMs: 1_000 }).then(
    () => true,
    () => false,
  );
  if (!gone) return ['an erased report can be read'];
  const statuses = await Promise.all(erased.map(({ page }) => statusOfPage(page!)));
  return statuses.some((status) => status < 400) ? ['the page of an erased report opens'] : [];
}
