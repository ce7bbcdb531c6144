import type { StackUnderLoad } from '@tire/test-harness/bench';

/** Reads rotate over this number of reports, so that the cache of one report is not what is measured. */
export const READ_REPORTS = 1_000;
export const CREATION = JSON.stringify({ plate_number: '12가 3456', template: 'tire_4t_0s' });
const TOGETHER = 50;

export async function apiCall(stack: StackUnderLoad, key: string, method: string, path: string, body?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(`${stack.base_url}${path}`, { method, body, headers });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

export async function createReports(stack: StackUnderLoad, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const made = Array.from({ length: Math.min(TOGETHER, count - ids.length) }, async () => {
      const answer = await apiCall(stack, stack.keys.test, 'POST', '/reports', CREATION);
      return ((await answer.json()) as { report_id: string }).report_id;
    });
    ids.push(...(await Promise.all(made)));
  }
  return ids;
}
