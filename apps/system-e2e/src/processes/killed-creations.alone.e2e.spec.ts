import type { CreateReportResponse } from '@tire/contracts/api';
import { randomUUID } from 'node:crypto';
import { connectionLost, kill, mayBeKilled, pause } from './killing';
import { apiOf, systemReady } from '../world';

const KILLED = ['gateway', 'ledger'];
/** The figures in the README come from a run with 100. */
const ROUNDS = Number(process.env['E2E_KILL_ROUNDS'] ?? 4);
/** A kill may come after the creations of its round have ended. Further rounds follow until one was hit. */
const ROUNDS_MAX = ROUNDS + 20;
const CREATIONS_PER_ROUND = 24;
const KILLED_WITHIN_MS = 200;
const ANSWERED_WITHIN_MS = 60_000;

const api = apiOf('live');

interface Creation {
  body: object;
  headers: Record<string, string> | undefined;
  /** The report ids of all 2xx responses. */
  reports: string[];
  attempts: number;
}

/** One third has an Idempotency-Key, one third an inspection id, one third both. */
function newCreation(index: number): Creation {
  const key = index % 3 === 1 ? undefined : { 'idempotency-key': randomUUID() };
  const inspection = index % 3 === 0 ? {} : { external_inspection_id: randomUUID() };
  return { body: { template: 'tire_4t_0s', plate_number: String(index), ...inspection }, headers: key, reports: [], attempts: 0 };
}

/** Repeats the same request until it gets a response, as the specification requires of partners. */
async function create(creation: Creation): Promise<CreateReportResponse> {
  const { body, headers, reports } = creation;
  const deadlineMs = Date.now() + ANSWERED_WITHIN_MS;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 2)) {
    creation.attempts += 1;
    const answer = await api.create(body, headers).catch(connectionLost);
    if (answer && answer.status < 300) {
      reports.push(answer.done.report_id);
      return answer.done;
    }
    if ((answer && !answer.error.retryable) || Date.now() > deadlineMs) throw new Error(answer?.text ?? 'No response');
    await pause(waitMs * (0.5 + Math.random()));
  }
}

async function isThere(report: string, body: object): Promise<boolean> {
  const answer = await api.call('getReport', { report });
  if (answer.status === 404) return false;
  const { vehicle, client_context } = answer.done;
  expect({ template: 'tire_4t_0s', ...vehicle, ...client_context }).toMatchObject(body);
  return true;
}

beforeAll(systemReady);
afterAll(systemReady);

it(
  `gateway and ledger are killed in turn during creations, at least ${ROUNDS} times: each report with a 2xx response exists exactly once`,
  async () => {
    let [unanswered, lost, doubled, round] = [0, 0, 0, 0];
    for (; round < ROUNDS || (unanswered === 0 && round < ROUNDS_MAX); round++) {
      const service = KILLED[round % KILLED.length]!;
      await mayBeKilled(service);
      const creations = Array.from({ length: CREATIONS_PER_ROUND }, (_, index) => newCreation(index));
      const answered = Promise.all(creations.map(create));
      await pause(Math.random() * KILLED_WITHIN_MS);
      kill(service);
      await answered;
      unanswered += creations.filter(({ attempts }) => attempts > 1).length;
      await Promise.all(creations.map(create));
      doubled += creations.filter(({ reports }) => new Set(reports).size > 1).length;
      expect(new Set(creations.flatMap(({ reports }) => reports)).size).toBe(CREATIONS_PER_ROUND + doubled);
      for (const { body, reports } of creations) lost += (await isThere(reports[0]!, body)) ? 0 : 1;
      expect({ round, lost, doubled }).toEqual({ round, lost: 0, doubled: 0 });
    }
    // Otherwise no kill hit a request.
    expect(unanswered).toBeGreaterThan(0);
    console.info(
      `${round} kills among ${round * CREATIONS_PER_ROUND} creations, ${unanswered} of which had to be tried again: none lost, none doubled`,
    );
  },
  // A killed service needs half a minute to start on a busy machine.
  ROUNDS_MAX * 60_000 + 120_000,
);
