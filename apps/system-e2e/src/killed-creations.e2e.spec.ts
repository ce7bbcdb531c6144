import type { CreateReportResponse } from '@tire/contracts';
import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { stackUnderTest } from './stack-under-test';
import { apiOf, systemReady } from './world';

const ROUNDS = Number(process.env['E2E_KILL_ROUNDS'] ?? 12);
const CREATIONS_PER_ROUND = 24;
const KILLED_WITHIN_MS = 60;
const ANSWERED_WITHIN_MS = 60_000;
/** The stack gives a service up that ends more than ten times in a minute; another suite may have ended it once. */
const KILLS_PER_MINUTE_MAX = 8;

const api = apiOf('live');
const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs));
const kills: { service: string; pid: number; atMs: number }[] = [];

async function kill(service: string): Promise<void> {
  const recent = () => kills.filter((kill) => kill.service === service && kill.atMs > Date.now() - 60_000).length;
  await eventually(() => recent() < KILLS_PER_MINUTE_MAX, { timeoutMs: 61_000 });
  const pid = stackUnderTest().pids[service]!;
  kills.push({ service, pid, atMs: Date.now() });
  process.kill(pid, 'SIGKILL');
}

interface Creation {
  body: object;
  headers: Record<string, string> | undefined;
  /** Of every answer in 2xx. */
  reports: string[];
}

/** One third is identified by its key, one by its inspection, one by both. */
function newCreation(index: number): Creation {
  const key = index % 3 === 1 ? undefined : { 'idempotency-key': randomUUID() };
  const inspection = index % 3 === 0 ? {} : { external_inspection_id: randomUUID() };
  return { body: { template: 'tire_4t_0s', plate_number: String(index), ...inspection }, headers: key, reports: [] };
}

/** Told apart by name: fetch throws errors of its own realm. An answer that the interface does not declare is none of them. */
function connectionLost(error: Error): undefined {
  if (error.name !== 'TypeError') throw error;
}

/** A partner tries the same request again until it is answered, as the specification tells him to. */
async function create({ body, headers, reports }: Creation): Promise<CreateReportResponse> {
  const deadlineMs = Date.now() + ANSWERED_WITHIN_MS;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 2)) {
    const answer = await api.create(body, headers).catch(connectionLost);
    if (answer && answer.status < 300) {
      reports.push(answer.done.report_id);
      return answer.done;
    }
    if ((answer && !answer.error.retryable) || Date.now() > deadlineMs) throw new Error(answer?.text ?? 'Nobody answers');
    await pause(waitMs * (0.5 + Math.random()));
  }
}

beforeAll(systemReady);
afterAll(systemReady);

it.each(['gateway', 'ledger'])(
  '%s is killed in the middle of creations: what was answered 2xx is there, and there once',
  async (service) => {
    for (let round = 0; round < ROUNDS / 2; round++) {
      const creations = Array.from({ length: CREATIONS_PER_ROUND }, (_, index) => newCreation(index));
      const answered = Promise.all(creations.map(create));
      await pause(Math.random() * KILLED_WITHIN_MS);
      await kill(service);
      await answered;
      await Promise.all(creations.map(create));
      for (const { reports } of creations) expect(new Set(reports).size).toBe(1);
      expect(new Set(creations.flatMap(({ reports }) => reports)).size).toBe(CREATIONS_PER_ROUND);
      for (const { body, reports } of creations) {
        const { vehicle, client_context } = await api.report(reports[0]!);
        expect({ template: 'tire_4t_0s', ...vehicle, ...client_context }).toMatchObject(body);
      }
    }
  },
  ROUNDS * 10_000 + 60_000,
);
