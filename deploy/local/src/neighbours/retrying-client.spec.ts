import { retryingClient, StillRefused } from './retrying-client';

const CREATE = 'http://127.0.0.1/api/v1/reports';
const CREATION = { method: 'POST', headers: { 'idempotency-key': 'one' } };

const answer =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response(null, { status, headers }));
const noConnection = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));

/** Plays the answers in order, and repeats the last one. The clock moves by pauses only. */
function played(answers: readonly (() => Promise<Response>)[], lostAfterMs = 120_000) {
  const sent: unknown[] = [];
  const pausesMs: number[] = [];
  let nowMs = 0;
  const client = retryingClient({
    lostAfterMs,
    send: (...request) => answers[Math.min(sent.push(request), answers.length) - 1]!(),
    nowMs: () => nowMs,
    random: () => 0,
    pause: async (ms) => {
      pausesMs.push(ms);
      nowMs += ms;
    },
  });
  return { client, sent, pausesMs };
}

it.each([
  ['429', answer(429, { 'retry-after': '3' }), 3_000],
  ['503', answer(503, { 'retry-after': '1' }), 1_000],
  ['503 without Retry-After', answer(503), 1_000],
  ['409 while the first creation runs', answer(409, { 'retry-after': '1' }), 1_000],
  ['no connection', noConnection, 1_000],
])('repeats the same request after %s (spec 15)', async (_, refusal, pauseMs) => {
  const { client, sent, pausesMs } = played([refusal, answer(201)]);
  expect((await client.fetch(CREATE, CREATION)).status).toBe(201);
  expect(pausesMs).toEqual([pauseMs]);
  expect(client.refused).toBe(1);
  expect(sent).toEqual([
    [CREATE, expect.objectContaining(CREATION)],
    [CREATE, expect.objectContaining(CREATION)],
  ]);
});

it('waits longer each time', async () => {
  const { client, pausesMs } = played([answer(503), answer(503), answer(503), answer(200)]);
  await client.fetch(CREATE);
  expect(pausesMs).toEqual([1_000, 2_000, 4_000]);
});

it.each([200, 202, 404, 409, 422, 500])('hands on the answer %i', async (status) => {
  const { client } = played([answer(status)]);
  expect((await client.fetch(CREATE)).status).toBe(status);
  expect(client.refused).toBe(0);
});

it('stops when the report is lost anyway', async () => {
  const { client, pausesMs } = played([answer(503)], 5_000);
  await expect(client.fetch(CREATE)).rejects.toThrow(StillRefused);
  expect(pausesMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(5_000);
});
