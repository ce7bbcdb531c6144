import { TireInspection } from './client.ts';
import { ForbiddenError } from './errors.ts';
import { KEY, refusal, SmallService, type Reply } from './testing/small-service.ts';
import type { ListenedCallbacks } from './types.ts';

const CALLBACK = { callback_id: 'c', type: 'report.completed', report_id: 'r', body: '{}', headers: {} };
const part = (next_cursor: string, callbacks: object[]): Reply => ({
  status: 200,
  body: { callbacks, next_cursor, recorded_since: '2026-11-21T04:00:00.000Z' },
});

describe('following what happens', () => {
  let service: SmallService;
  let client: TireInspection;

  beforeEach(async () => {
    service = await SmallService.start();
    client = new TireInspection({ apiKey: KEY, baseUrl: service.baseUrl, timeoutMs: 1_000 });
  });
  afterEach(() => service.stop());

  async function taken(parts: AsyncGenerator<ListenedCallbacks>, count: number): Promise<ListenedCallbacks[]> {
    const found: ListenedCallbacks[] = [];
    for await (const one of parts) if (found.push(one) === count) break;
    return found;
  }

  it('begins now, leaves out empty parts, and reads each one from the cursor of the one before', async () => {
    service.replies.set('GET /callbacks', [part('7', []), part('7', []), part('8', [CALLBACK])]);
    const parts = await taken(client.webhooks.listen(), 2);
    expect(parts.map(({ callbacks, next_cursor }) => [callbacks.length, next_cursor])).toEqual([
      [0, '7'],
      [1, '8'],
    ]);
    expect(service.requests.map(({ path }) => path.split('?')[1])).toEqual(['wait_s=25', 'after=7&wait_s=25', 'after=7&wait_s=25']);
  });

  it('reads a lost answer again from the same cursor, and tells of each interruption', async () => {
    service.replies.set('GET /callbacks', [part('8', [CALLBACK])]);
    service.troubles.set(/callbacks/, ['lost', refusal(429, 'rate_limited', { retryable: true })]);
    const interruptions: string[] = [];
    const [only] = await taken(client.webhooks.listen({ after: '7', onInterruption: ({ name }) => interruptions.push(name) }), 1);
    expect(only!.callbacks).toEqual([CALLBACK]);
    expect(service.requests.map(({ path }) => path.split('?')[1])).toEqual(Array(3).fill('after=7&wait_s=25'));
    expect(interruptions).toEqual(['ConnectionError', 'RateLimitedError']);
  });

  it('ends with what repeating cannot put right, and with its signal', async () => {
    service.replies.set('GET /callbacks', [refusal(403, 'forbidden')]);
    await expect(client.webhooks.listen().next()).rejects.toThrow(ForbiddenError);
    expect(service.requests).toHaveLength(1);
    const ending = new AbortController();
    const ended = new Error('enough');
    service.replies.set('GET /callbacks', [refusal(503, 'internal_error', { retryable: true })]);
    const listening = client.webhooks.listen({ signal: ending.signal, onInterruption: () => ending.abort(ended) }).next();
    await expect(listening).rejects.toBe(ended);
  });

  it('waits longer than one attempt may take', async () => {
    service.answerAfterMs = 1_500;
    service.replies.set('GET /requests', [{ status: 200, body: { requests: [], next_cursor: '1.a' } }]);
    expect(await client.requests.poll({ after: '1.a', wait_s: 25 })).toEqual({ requests: [], next_cursor: '1.a' });
    expect(service.requests).toHaveLength(1);
  });

  it('follows the request log', async () => {
    const log = (next_cursor: string, requests: object[]): Reply => ({ status: 200, body: { requests, next_cursor } });
    service.replies.set('GET /requests', [log('1.a', []), log('2.b', [{ path: '/api/v1/reports' }])]);
    const seen: string[] = [];
    for await (const { requests } of client.requests.tail()) {
      seen.push(...requests.map(({ path }) => path));
      if (seen.length > 0) break;
    }
    expect(seen).toEqual(['/api/v1/reports']);
  });
});
