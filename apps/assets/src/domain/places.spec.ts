import type { CallOutcome } from '@tire/kernel';
import { Places, retryMs, type FetchRequest } from './places';

const requests = (projectId: string, host: string, count: number): FetchRequest[] =>
  Array.from({ length: count }, () => ({ projectId, host }));
const hostsOf = (projectId: string, count: number): FetchRequest[] =>
  Array.from({ length: count }, (_, index) => ({ projectId, host: `${projectId}-${index}` }));

const decisionsOf = (places: Places<FetchRequest>, requested: readonly FetchRequest[]) => {
  const decisions = requested.map((request) => places.request(request));
  return {
    admitted: decisions.filter((decision) => decision === 'admitted').length,
    rejected: decisions.filter((decision) => decision === 'rejected').length,
  };
};

describe('places for fetches', () => {
  it('are four for a host without history, and half of all for a project', () => {
    const places = new Places();
    expect(decisionsOf(places, requests('a', 'one', 10)).admitted).toBe(4);
    expect(decisionsOf(places, hostsOf('a', 100)).admitted).toBe(12);
    expect(decisionsOf(places, hostsOf('b', 100)).admitted).toBe(16);
    expect(decisionsOf(places, hostsOf('c', 100)).admitted).toBe(0);
  });

  it('are as many for a fast host as for its project, and one for a host that hangs', () => {
    const given = (outcome: CallOutcome, times: number): number => {
      const places = new Places();
      for (const request of requests('a', 'one', times)) {
        expect(places.request(request)).toBe('admitted');
        places.leave(request, outcome);
      }
      return decisionsOf(places, requests('b', 'one', 100)).admitted;
    };
    expect(given('fast', 1)).toBe(8);
    expect(given('fast', 9)).toBe(16);
    expect(given('slow', 9)).toBe(4);
    expect(given('timeout', 1)).toBe(2);
    expect(given('timeout', 9)).toBe(1);
  });

  it('become fewer for a project whose hosts hang, and come back with the first fast one', () => {
    const places = new Places();
    const hanging = hostsOf('a', 16);
    hanging.forEach((request) => places.request(request));
    hanging.forEach((request) => places.leave(request, 'timeout'));
    const others = hostsOf('a', 20).map(({ projectId, host }) => ({ projectId, host: `other-${host}` }));
    expect(others.map((request) => places.request(request)).filter((decision) => decision === 'admitted')).toHaveLength(2);
    expect(places.leave(others[0]!, 'fast')).toHaveLength(3);
  });

  it('go to the project that holds the fewest, in the order of the requests', () => {
    const places = new Places();
    const [a, b] = [hostsOf('a', 20), hostsOf('b', 20)];
    for (const request of [...a, ...b]) places.request(request);
    const c = hostsOf('c', 2);
    expect(c.map((request) => places.request(request))).toEqual(['queued', 'queued']);
    expect(places.leave(a[0]!, 'fast')).toEqual([c[0]]);
    expect(places.leave(a[1]!, 'fast')).toEqual([c[1]]);
    expect(places.leave(b[0]!, 'fast')).toEqual([a[16]]);
  });

  it('have a bounded queue for each project, and every project may have one request waiting if the queue is full', () => {
    const places = new Places();
    expect(decisionsOf(places, requests('a', 'one', 4 + 128 + 10))).toEqual({ admitted: 4, rejected: 10 });
    for (const project of ['b', 'c', 'd']) expect(decisionsOf(places, requests(project, project, 4 + 128 + 1)).rejected).toBe(1);
    expect(decisionsOf(places, requests('e', 'one', 3))).toEqual({ admitted: 0, rejected: 2 });
  });

  it('are not given to a cancelled request', () => {
    const places = new Places();
    const requested = requests('a', 'one', 6);
    requested.forEach((request) => places.request(request));
    places.cancel(requested[4]!);
    places.cancel(requested[4]!);
    expect(places.leave(requested[0]!, 'slow')).toEqual([requested[5]]);
  });

  it('are all free again in the end', () => {
    const places = new Places();
    const inside = ['a', 'b', 'c'].flatMap((project) => hostsOf(project, 30)).filter((request) => places.request(request) === 'admitted');
    let left = 0;
    for (let next = inside.shift(); next; next = inside.shift()) {
      inside.push(...places.leave(next, left % 3 === 0 ? 'timeout' : 'fast'));
      left += 1;
    }
    expect(left).toBe(90);
    expect(
      decisionsOf(
        places,
        ['d', 'e'].flatMap((project) => hostsOf(project, 16)),
      ).admitted,
    ).toBe(32);
  });
});

it.each([
  [1, 500],
  [2, 1_000],
  [5, 8_000],
  [9, 8_000],
])('a request rejected at delivery %i is delivered again after %i ms', (count, delayMs) => {
  expect(retryMs(count)).toBe(delayMs);
});
