import type { InterfaceErrorCode } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { Api, type Answer } from './api';
import { sound } from './calls';
import { oldReport } from '../reports/old-reports';
import { READS, type Operation } from './operations';
import { freshTargets, put, registration, tread } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import type { Ready } from './successes';
import { whileAnswersCannotBeStored, whileFlooded, whileGatewayDatabaseIsAway, whileHanging, whileKeysCannotBeRead } from './trouble';
import { apiOf, apiWith, newKey } from '../world';

/** A partner with a project, a complete report in it, and the operations that declare the refusal. */
interface Situation {
  readonly api: Api;
  readonly key: string;
  readonly project: string;
  readonly ready: Ready;
  readonly operations: readonly Operation[];
}

type Answers = Promise<Answer<Operation>[]>;
type Send = (operation: Operation) => Promise<Answer<Operation>>;

const sendAll = ({ operations }: Situation, send: Send): Answers => Promise.all(operations.map(send));

/** Sends the requests while a fault lasts. */
async function answersDuring(situation: Situation, during: (work: () => Promise<void>) => Promise<void>, send: Send): Answers {
  let answers: Answer<Operation>[] = [];
  await during(async () => void (answers = await sendAll(situation, send)));
  return answers;
}

/** A creation names the inspection, all other operations the report. */
const about =
  (api: Api, report: string, inspection: string): Send =>
  (operation) =>
    api.call(operation, operation === 'createReport' ? { body: { external_inspection_id: inspection } } : sound(operation, report));

const FAULTY: Partial<Record<Operation, object>> = {
  createReport: { template: 'tire_9t' },
  createUploadTargets: { slots: [] },
  registerImages: { images: [] },
  analyzeSlots: { slots: [] },
  issueCapture: { expires_in_hours: 0 },
  replayCallbacks: { queued_from: '2026-01-02T00:00:00Z', queued_before: '2026-01-01T00:00:00Z' },
};

const FAULTY_QUERY: Partial<Record<Operation, string>> = {
  listReports: 'limit=0',
  listenToCallbacks: 'wait_s=26',
  tailRequests: 'after=x',
};

async function discarded(situation: Situation): Answers {
  const inspection = randomUUID();
  const report = (await situation.api.create({ external_inspection_id: inspection })).done.report_id;
  void (await situation.api.call('discardReport', { report })).done;
  return sendAll(situation, about(situation.api, report, inspection));
}

/** The ledger repeats the removal after one minute, then after two more. */
const REMOVED_WITHIN_MS = 200_000;

/** An expired test report whose content cannot be removed yet. */
async function purging(situation: Situation): Answers {
  let answers: Answer<Operation>[] = [];
  let isGone: () => Promise<boolean> = () => Promise.resolve(false);
  await whileHanging('content', async () => {
    const { api, report, inspection } = await oldReport('test');
    const refusal = async () => (await api.call('publishReport', { report })).error.code;
    isGone = async () => (await refusal()) === 'not_found';
    await eventually(async () => (await refusal()) === 'report_purge_pending', { message: 'The report stays' });
    answers = await sendAll(situation, about(api, report, inspection));
  });
  await eventually(isGone, { timeoutMs: REMOVED_WITHIN_MS, message: 'The report is not removed' });
  return answers;
}

async function inProgress({ api }: Situation): Answers {
  const headers = { 'idempotency-key': randomUUID() };
  const answers: Answer<Operation>[] = [];
  let both: Promise<Answer<'createReport'>[]> = Promise.resolve([]);
  await whileAnswersCannotBeStored(async () => {
    const requests = [1, 2].map(() => api.create({}, headers));
    both = Promise.all(requests);
    answers.push(await Promise.race(requests));
  });
  const made = (await both).filter(({ status }) => status === 201);
  expect(made.map(({ text }) => text)).toEqual([(await api.create({}, headers)).text]);
  return answers;
}

async function slotTaken({ api, ready: { report } }: Situation): Answers {
  const [target] = await freshTargets(api, report, [tread('front_left')]);
  expect(await put(target!)).toBe(200);
  return [await api.call('registerImages', { report, body: { images: [registration(target!)] } })];
}

async function unfinishedDiscard({ api }: Situation): Answers {
  const { report_id: report } = (await api.create()).done;
  process.kill(stackUnderTest().pids['content']!, 'SIGKILL');
  const answer = await api.call('discardReport', { report });
  await eventually(async () => (await api.call('discardReport', { report })).done);
  return [answer];
}

/** How to provoke each refusal from all operations that declare it. */
export const REFUSALS: Record<InterfaceErrorCode, (situation: Situation) => Answers> = {
  unauthorized: (situation) => {
    const nobody = new Api(stackUnderTest().base_url, undefined);
    return sendAll(situation, (operation) => nobody.call(operation, sound(operation)));
  },
  forbidden: async (situation) => {
    const [reader, writer] = await Promise.all(
      ['report:read', 'report:write'].map(async (scope) => apiWith((await newKey(situation.project, scope)).key)),
    );
    return sendAll(situation, (operation) => (READS.includes(operation) ? writer! : reader!).call(operation, sound(operation)));
  },
  not_found: (situation) => sendAll(situation, (operation) => situation.api.call(operation, sound(operation))),
  idempotency_conflict: async ({ api }) => {
    const headers = { 'idempotency-key': randomUUID() };
    void (await api.create({}, headers)).done;
    return [await api.create({ plate_number: '1' }, headers)];
  },
  idempotency_in_progress: inProgress,
  slot_already_succeeded: slotTaken,
  report_discarded: discarded,
  report_purge_pending: purging,
  content_unavailable_for_legacy: async (situation) => {
    const { api, report } = await oldReport('live');
    return sendAll(situation, (operation) => api.call(operation, sound(operation, report)));
  },
  publish_requirements_unmet: async ({ api }) => {
    const { report_id: report } = (await api.create()).done;
    return [await api.call('publishReport', { report })];
  },
  validation_error: async (situation) => {
    const { report_id: report } = (await situation.api.create()).done;
    return sendAll(situation, (operation) =>
      situation.api.call(operation, { report, body: FAULTY[operation], query: FAULTY_QUERY[operation] }),
    );
  },
  rate_limited: (situation) =>
    answersDuring(
      situation,
      (work) => whileFlooded(situation.key, work),
      (operation) => situation.api.call(operation, sound(operation)),
    ),
  discard_incomplete: unfinishedDiscard,
  internal_error: async (situation) => {
    const unseen = apiWith((await newKey(situation.project, 'report:*')).key);
    return answersDuring(situation, whileKeysCannotBeRead, (operation) => unseen.call(operation, sound(operation)));
  },
  service_unavailable: async (situation) => {
    // Only test projects can be listened to.
    const callerOf = (operation: Operation) => (operation === 'listenToCallbacks' ? apiOf('test') : situation.api);
    const send = (operation: Operation) => callerOf(operation).call(operation, sound(operation));
    const ofGateway = (operation: Operation) => operation === 'tailRequests';
    const operations = situation.operations.filter((operation) => !ofGateway(operation));
    // Callbacks are in share, the request log in the gateway; everything else needs the ledger.
    const hanging = (work: () => Promise<void>) => whileHanging('ledger', () => whileHanging('share', work));
    const answers = await answersDuring({ ...situation, operations }, hanging, send);
    const gateways = { ...situation, operations: situation.operations.filter(ofGateway) };
    answers.push(...(await answersDuring(gateways, whileGatewayDatabaseIsAway, send)));
    return situation.operations.map((operation) => answers.find((answer) => answer.operation === operation)!);
  },
};
