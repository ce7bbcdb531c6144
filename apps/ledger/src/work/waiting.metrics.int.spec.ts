import { eventually } from '@tire/test-harness';
import { creationRequest, startWorld, type World } from '../testing/world';

const OVERDUE_MS = 60_000;

let world: World;

beforeAll(async () => {
  world = await startWorld({ overdueMs: OVERDUE_MS });
});

afterAll(() => world?.stop());

describe('metrics of waiting slots', () => {
  it('has the count and the age of the oldest by kind, and a reminder does not reduce the age', async () => {
    expect(await world.waiting.read()).toEqual(
      ['fetch', 'tire.tread', 'tire.sidewall', 'sandbox'].map((kind) => ({ kind, count: 0, oldestAgeS: 0 })),
    );
    const request = creationRequest();
    const { reportId } = await world.create(request);
    await world.received.fetchImage.of(reportId, 4);
    expect(await world.waiting.read()).toContainEqual({ kind: 'fetch', count: 4, oldestAgeS: 0 });

    world.clock.advanceMs(30_000);
    for (const { slotId } of request.images.slice(0, 3)) await world.publishFetched(request.projectId, reportId, slotId);
    const requested = async () => (await world.waiting.read()).some(({ kind, count }) => kind === 'tire.tread' && count === 3);
    await eventually(requested);
    expect(await world.waiting.read()).toEqual([
      { kind: 'fetch', count: 1, oldestAgeS: 30 },
      { kind: 'tire.tread', count: 3, oldestAgeS: 0 },
      { kind: 'tire.sidewall', count: 0, oldestAgeS: 0 },
      { kind: 'sandbox', count: 0, oldestAgeS: 0 },
    ]);

    for (const turns of [1, 2, 4, 8, 16, 16]) {
      await world.handedOut(reportId);
      world.clock.advanceMs(turns * OVERDUE_MS);
      expect(await world.reconciler.sweep()).toBeGreaterThan(0);
    }
    expect(await world.slotAttempts(reportId)).toBe(6);
    expect(await world.waiting.read()).toContainEqual({ kind: 'tire.tread', count: 3, oldestAgeS: (47 * OVERDUE_MS) / 1000 });
  });
});
