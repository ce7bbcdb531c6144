import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { Api, Call } from './api';
import { endpointOf, OPERATIONS, type Operation } from './operations';
import { type ApiDocument, bodyTexts } from './random-bodies';
import { takenOn } from './taken-on';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady, UNKNOWN_ID } from '../world';

/** The requests are always the same unless E2E_SEED is set: 250 random bodies may contain no valid one. */
const SEED = Number(process.env['E2E_SEED'] ?? 20_261_121);
const REQUESTS_PER_OPERATION = Number(process.env['E2E_RANDOM_REQUESTS'] ?? 250);
const AT_ONCE = 16;
/** The number of reports that are never discarded, so that the other requests find some. */
const KEPT = 20;
const TO_DISCARD = 10;

interface RandomRequest {
  operation: Operation;
  /** The index of an existing report, or an id without a report. */
  which: number | string;
  text: string | undefined;
  idempotencyKey: string | undefined;
  ifNoneMatch: string | undefined;
  query: string | undefined;
}

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

function requestsOf(document: ApiDocument, operation: Operation): fc.Arbitrary<RandomRequest> {
  const { method, path } = endpointOf(operation);
  const schema = document.paths[path]![method]!.requestBody?.content['application/json'].schema;
  return fc.record({
    operation: fc.constant(operation),
    which: fc.oneof({ weight: 8, arbitrary: fc.nat(1_000) }, fc.constantFrom(UNKNOWN_ID, 'null', '..', '%00', UNKNOWN_ID.toUpperCase())),
    text: schema ? fc.oneof({ weight: 30, arbitrary: bodyTexts(document, schema) }, fc.constant(undefined)) : fc.constant(undefined),
    idempotencyKey: maybe(['one', 'two', 'three', '~'.repeat(256), '']),
    ifNoneMatch: maybe(['*', 'W/"a"', '"', ',,', 'W/', '"a", *']),
    query: maybe(
      operation === 'listReports' ? LIST_QUERIES : ['replace=true', 'replace=false', 'replace=maybe', '%', 'replace=true&replace=true'],
    ),
  });
}

const LIST_QUERIES = [
  ...[
    'limit=1',
    'limit=0',
    'limit=1e1',
    'cursor=',
    'cursor=0.00000000-0000-0000-0000-000000000000',
    'cursor=zzzzzzzzz.x',
    '%',
    'status=failed',
  ],
  ...['plate_number=12%EA%B0%803456', 'plate_number=%20', 'external_vehicle_id=%00', 'external_inspection_id=a&external_inspection_id=b'],
  ...[
    'created_from=1970-01-01T00:00:00Z',
    'created_before=2999-12-31T23:59:59Z&analysis_status=failed',
    'created_from=9999-01-01T00:00:00Z',
  ],
];

const reportAt = (reports: readonly string[], which: number, operation: Operation): string | undefined =>
  operation === 'discardReport' ? reports[KEPT + (which % (reports.length - KEPT))] : reports[which % reports.length];

const HOSTILE_IDS = ['car-1', ' ', '/', '차량', '\u0000', "'; DROP TABLE reports; --", 'x'.repeat(128), 'x'.repeat(129), '%'];

/** Throws for any response that the interface does not declare, and for an error of the system that lasts. */
async function send(api: Api, request: RandomRequest, reports: readonly string[]): Promise<{ status: number; text: string }> {
  const { operation, which, text, idempotencyKey, ifNoneMatch, query } = request;
  const call: Call = {
    report: typeof which === 'number' ? reportAt(reports, which, operation) : which,
    contentRevision: randomUUID(),
    raw: text,
    vehicle: typeof which === 'number' ? encodeURIComponent(HOSTILE_IDS[which % HOSTILE_IDS.length]!) : which,
    query: operation === 'registerImages' || operation === 'listReports' ? query : undefined,
    headers: {
      ...(operation === 'createReport' && idempotencyKey !== undefined ? { 'idempotency-key': idempotencyKey } : {}),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    },
  };
  const answer = await takenOn(() => api.call(operation, call));
  if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}

beforeAll(systemReady);

it(`random requests to every operation get declared responses, and never 5xx, except a momentary 503 (seed ${SEED})`, async () => {
  const document = (await (await fetch(`${stackUnderTest().base_url}/openapi.json`)).json()) as ApiDocument;
  const requests = OPERATIONS.flatMap((operation, index) =>
    fc.sample(requestsOf(document, operation), { seed: SEED + index, numRuns: REQUESTS_PER_OPERATION }),
  );
  const queue = fc.sample(fc.shuffledSubarray(requests, { minLength: requests.length }), { seed: SEED, numRuns: 1 })[0]!;
  const api = apiOf('test');
  const reports = await Promise.all(
    Array.from({ length: KEPT + TO_DISCARD }, async () => (await takenOn(() => api.create())).done.report_id),
  );
  const faults: string[] = [];
  const done = new Map<Operation, number>();
  const worker = async (): Promise<void> => {
    for (let request = queue.pop(); request && faults.length < 20; request = queue.pop()) {
      try {
        const { status, text } = await send(api, request, reports);
        if (status < 400) done.set(request.operation, (done.get(request.operation) ?? 0) + 1);
        if (request.operation === 'createReport' && status < 300) reports.push((JSON.parse(text) as { report_id: string }).report_id);
      } catch (error) {
        faults.push(`${String(error)}\n  for ${JSON.stringify(request).slice(0, 1_500)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(faults).toEqual([]);
  // An operation that only refuses requests proves little.
  for (const operation of [
    'createReport',
    'getReport',
    'listReports',
    'getShare',
    'createUploadTargets',
    'analyzeSlots',
    'discardReport',
  ] as const) {
    expect([operation, (done.get(operation) ?? 0) > 0]).toEqual([operation, true]);
  }
});
