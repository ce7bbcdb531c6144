import { TireInspection } from './client.ts';
import { ConnectionError, WaitTimeoutError } from './errors.ts';
import { KEY, refusal, SmallService } from './testing/small-service.ts';

describe('webhooks.replay', () => {
  let service: SmallService;
  let client: TireInspection;

  beforeEach(async () => {
    service = await SmallService.start();
    client = new TireInspection({ apiKey: KEY, baseUrl: service.baseUrl, retryDelayMs: 1 });
  });
  afterEach(() => service.stop());

  const period = { queued_from: '2026-11-21T04:00:00Z', queued_before: '2026-11-21T06:00:00Z', state: 'abandoned' } as const;
  const WHAT = 'POST /webhooks/replay';
  const part = (replayed: number, next_cursor: string | null) => ({ status: 202, body: { replayed, next_cursor } });
  const noRoom = refusal(429, 'rate_limited', { retryable: true }, { 'retry-after': '0' });
  const bodies = () => service.requests.map(({ body }) => JSON.parse(body.toString()) as unknown);

  it('sends part after part, and waits for room as often as it takes', async () => {
    service.replies.set(WHAT, [part(1000, 'a'), ...Array.from({ length: 6 }, () => noRoom), part(0, 'b'), part(12, null)]);
    const counts: number[] = [];
    for await (const { replayed } of client.webhooks.replay(period)) counts.push(replayed);
    expect(counts).toEqual([1000, 0, 12]);
    const second = { ...period, cursor: 'a' };
    expect(bodies()).toEqual([period, ...Array.from({ length: 7 }, () => second), { ...period, cursor: 'b' }]);
  });

  it('sends no part that nobody asked for, and goes on from a cursor', async () => {
    service.replies.set(WHAT, [part(1, 'b')]);
    for await (const { next_cursor } of client.webhooks.replay({ ...period, cursor: 'a' })) if (next_cursor === 'b') break;
    expect(bodies()).toEqual([{ ...period, cursor: 'a' }]);
  });

  it('repeats nothing that may have been done', async () => {
    service.replies.set(WHAT, [refusal(503, 'internal_error', { retryable: true })]);
    await expect(client.webhooks.replay(period).next()).rejects.toMatchObject({ code: 'internal_error' });
    service.troubles.set(/replay/, ['lost']);
    await expect(client.webhooks.replay(period).next()).rejects.toThrow(ConnectionError);
    expect(service.requests).toHaveLength(2);
  });

  it('ends when there was no room for too long', async () => {
    service.replies.set(WHAT, [refusal(429, 'rate_limited', { retryable: true }, { 'retry-after': '60' })]);
    await expect(client.webhooks.replay(period, { timeoutMs: 30 }).next()).rejects.toThrow(WaitTimeoutError);
  });
});
