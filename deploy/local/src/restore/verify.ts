import type { Report } from '@tire/contracts/api';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PartnerClient } from '../client';
import type { ReceivedCallback } from '../listeners';
import { nodeProgram } from '../programs';
import { stackDir, type StackFile } from '../stack-file';
import type { Sent } from './load';

const AT_ONCE = 8;
const HEALED_WITHIN_MS = 300_000;
const POLL_MS = 2_000;

/** An operator's command with the environment of its service. Status 1 means that it found something. */
export async function adminText(service: string, args: string[], input = ''): Promise<string> {
  const environment = join(stackDir(), 'environment', `${service}.env`);
  const command = [`--env-file=${environment}`, nodeProgram(service, 'admin.js'), ...args];
  const run = promisify(execFile)(process.execPath, command, {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error' },
    maxBuffer: 1 << 28,
  });
  run.child.stdin!.end(input);
  const { stdout } = await run.catch((error: { code?: number; stdout?: string; stderr?: string; message: string }) => {
    if (error.code === 1 && error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw new Error(`${service} ${args.join(' ')}: ${error.stderr || error.message}`);
  });
  return stdout;
}

export const adminJson = async <T>(service: string, args: string[], input?: string): Promise<T> =>
  JSON.parse(await adminText(service, args, input)) as T;

export interface CheckRestored {
  readonly reports: number;
  readonly discarded: number;
  readonly pages: number;
  readonly repaired: number;
  readonly differences: Readonly<Record<string, number>>;
  readonly named: readonly { readonly report_id: string; readonly differences: readonly string[] }[];
}

export const checkRestored = (...args: string[]): Promise<CheckRestored> => adminJson('ledger', ['check-restored', ...args]);

export interface CheckObjects {
  readonly objects: number;
  readonly rows: number;
  readonly missing: number;
  readonly orphans: Readonly<Record<string, number>>;
  readonly names: readonly { readonly key: string; readonly finding: string }[];
}

/** As of the day after tomorrow, because objects that are young enough to be on their way are no orphans yet. */
export const checkObjects = (): Promise<CheckObjects> =>
  adminJson('assets', ['check', '--json', '--as-of', new Date(Date.now() + 2 * 86_400_000).toISOString()]);

export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.map((item, index) => ({ item, index }));
  const one = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.index] = await work(next.item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return results;
}

export type Fate = { readonly sent: Sent; readonly report: Report | null };

/** What the API says of each report. Null: it is not found. */
export const fatesOf = (stack: StackFile, sent: readonly Sent[]): Promise<Fate[]> =>
  inTurns(sent, async (one) => {
    const answer = await new PartnerClient(stack, stack.keys[one.mode]).call('GET', `/reports/${one.reportId}`);
    if (answer.status === 404) return { sent: one, report: null };
    if (!answer.ok) throw new Error(`${one.reportId} answered ${answer.status}: ${await answer.text()}`);
    return { sent: one, report: (await answer.json()) as Report };
  });

/** Reports whose upload never ended wait for their partner. */
const isSettled = ({ report }: Fate): boolean =>
  report === null ||
  report.analysis_status === 'awaiting_images' ||
  report.analysis_status === 'failed' ||
  report.analysis_status === 'partial' ||
  (report.analysis_status === 'complete' && report.publication_status === 'published' && report.summary_status === 'complete');

/** Waits until nothing is on its way any more. A report whose image is lost is not waited for: its slot is tried for a long time before it fails. */
export async function healed(stack: StackFile, sent: readonly Sent[], withoutImage: ReadonlySet<string>): Promise<Fate[]> {
  const deadlineMs = Date.now() + HEALED_WITHIN_MS;
  for (;;) {
    const fates = await fatesOf(stack, sent);
    const waiting = fates.filter((fate) => !isSettled(fate) && !withoutImage.has(fate.sent.reportId));
    if (waiting.length === 0) return fates;
    if (Date.now() > deadlineMs) {
      const named = waiting
        .slice(0, 5)
        .map(({ report }) => `${report!.report_id} ${report!.analysis_status} ${report!.publication_status}`);
      throw new Error(`${waiting.length} reports do not end: ${named.join(', ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export const statusOfPage = async (page: string): Promise<number> => {
  const answer = await fetch(page);
  await answer.arrayBuffer();
  return answer.status;
};

export interface Completion {
  readonly reportId: string;
  readonly revision: string;
  readonly webhookId: string;
  readonly receivedMs: number;
}

/** The callbacks about a completed report. */
export const completions = (received: readonly ReceivedCallback[]): Completion[] =>
  received.flatMap(({ body, headers, receivedMs }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { report_id: string; analysis_revision: string } };
    if (type !== 'report.completed') return [];
    return [{ reportId: data.report_id, revision: data.analysis_revision, webhookId: String(headers['webhook-id']), receivedMs }];
  });
