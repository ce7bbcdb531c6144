import type { CallOutcome } from '@tire/kernel';
import { FetchQueue, keepsPlaceMs, retryMs, type FetchRequest } from './fetch-queue';

const requests = (projectId: string, host: string, count: number): FetchRequest[] =>
  Array.from({ length: count }, () => ({ projectId, host }));
const hostsOf = (projectId: string, count: number): FetchRequest[] =>
  Array.from({ length: count }, (_, index) => ({ projectId, host: `${projectId}-${index}` }));

const decisionsOf = (queue: FetchQueue<FetchRequest>, requested: readonly FetchRequest[]) => {
  const decisions = requested.map((request) => queue.request(request));
  return {
    admitted: decisions.filter((decision) => decision === 'admitted').length,
    rejected: decisions.filter((decision) => decision === 'rejected').length,
  };
};

describe('places for fetches', () => {
  it('are four for a host without history, sixteen for a project, and the last sixteen for projects that hold none', () => {
    const queue = new FetchQueue();
    expect(decisionsOf(queue, requests('a', 'one', 10)).admitted).toBe(4);
    expect(decisionsOf(queue, hostsOf('a', 100)).admitted).toBe(12);
    expect(decisionsOf(queue, hostsOf('b', 100)).admitted).toBe(16);
    const later = Array.from({ length: 20 }, (_, index) => decisionsOf(queue, hostsOf(`later-${index}`, 8)).admitted);
    expect(later).toEqual([...Array<number>(16).fill(1), 0, 0, 0, 0]);
  });

  it('are as many for a fast host as for its project, and one for a host that hangs', () => {
    const given = (outcome: CallOutcome, times: number): number => {
      const queue = new FetchQueue();
      for (const request of requests('a', 'one', times)) {
        expect(queue.request(request)).toBe('admitted');
        queue.leave(request, outcome);
      }
      return decisionsOf(queue, requests('b', 'one', 100)).admitted;
    };
    expect(given('fast', 1)).toBe(8);
    expect(given('fast', 9)).toBe(16);
    expect(given('slow', 9)).toBe(4);
    expect(given('timeout', 1)).toBe(2);
    expect(given('timeout', 9)).toBe(1);
  });

  it('become fewer for a project whose hosts hang, and come back with the first fast one', () => {
    const queue = new FetchQueue();
    const hanging = hostsOf('a', 16);
    hanging.forEach((request) => queue.request(request));
    hanging.forEach((request) => queue.leave(request, 'timeout'));
    const others = hostsOf('a', 20).map(({ projectId, host }) => ({ projectId, host: `other-${host}` }));
    expect(others.map((request) => queue.request(request)).filter((decision) => decision === 'admitted')).toHaveLength(2);
    expect(queue.leave(others[0]!, 'fast')).toHaveLength(3);
  });

  it('go to the project that holds the fewest, in the order of the requests', () => {
    const queue = new FetchQueue();
    const [a, b] = [hostsOf('a', 20), hostsOf('b', 20)];
    for (const request of [...a, ...b]) queue.request(request);
    const c = hostsOf('c', 2);
    expect(c.map((request) => queue.request(request))).toEqual(['admitted', 'queued']);
    expect(queue.leave(a[0]!, 'fast')).toEqual([]);
    expect(queue.leave(a[1]!, 'fast')).toEqual([c[1]]);
    expect(queue.leave(b[0]!, 'fast')).toEqual([a[16]]);
  });

  it('stay taken for their project after a fetch that failed at once, while the host and other projects go on', () => {
    const queue = new FetchQueue();
    const failing = requests('a', 'one', 24);
    const decisions = failing.map((request) => queue.request(request));
    expect(decisions.filter((decision) => decision === 'admitted')).toHaveLength(4);
    const begun = failing.slice(0, 4);
    for (let next = begun.shift(); next; next = begun.shift()) begun.push(...queue.leave(next, 'fast', true));
    // Sixteen of one project, however fast they fail; the host has all its places again.
    expect(decisionsOf(queue, requests('b', 'one', 20)).admitted).toBe(16);
    expect(queue.release('a', 'fast')).toEqual([]);
    expect(queue.leave({ projectId: 'b', host: 'one' }, 'fast')).toEqual([failing[16]]);
  });

  it('have a bounded queue for each project, and every project may have one request waiting if the queue is full', () => {
    const queue = new FetchQueue();
    expect(decisionsOf(queue, requests('a', 'one', 4 + 128 + 10))).toEqual({ admitted: 4, rejected: 10 });
    for (const project of ['b', 'c', 'd']) expect(decisionsOf(queue, requests(project, project, 4 + 128 + 1)).rejected).toBe(1);
    expect(decisionsOf(queue, requests('e', 'one', 3))).toEqual({ admitted: 0, rejected: 2 });
  });

  it('are not given to a cancelled request', () => {
    const queue = new FetchQueue();
    const requested = requests('a', 'one', 6);
    requested.forEach((request) => queue.request(request));
    queue.cancel(requested[4]!);
    queue.cancel(requested[4]!);
    expect(queue.leave(requested[0]!, 'slow')).toEqual([requested[5]]);
  });

  it('are all free again in the end', () => {
    const queue = new FetchQueue();
    const inside = ['a', 'b', 'c'].flatMap((project) => hostsOf(project, 30)).filter((request) => queue.request(request) === 'admitted');
    let left = 0;
    for (let next = inside.shift(); next; next = inside.shift()) {
      inside.push(...queue.leave(next, left % 3 === 0 ? 'timeout' : 'fast'));
      left += 1;
    }
    expect(left).toBe(90);
    expect(
      decisionsOf(
        queue,
        ['d', 'e'].flatMap((project) => hostsOf(project, 16)),
      ).admitted,
    ).toBe(32);
  });
});

it.each([
  [0, 1_000],
  [400, 600],
  [1_000, 0],
  [35_000, 0],
])('a fetch that failed after %i ms keeps the place of its project for another %i ms', (tookMs, keptMs) => {
  expect(keepsPlaceMs(tookMs)).toBe(keptMs);
});

it.each([
  [1, 500],
  [2, 1_000],
  [5, 8_000],
  [9, 8_000],
])('a request rejected at delivery %i is delivered again after %i ms', (count, delayMs) => {
  expect(retryMs(count)).toBe(delayMs);
});
