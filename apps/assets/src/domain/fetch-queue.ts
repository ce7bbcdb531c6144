import { AdaptiveLimits, type CallOutcome } from '@tire/kernel';

/** The project of an image and the host that serves it. A project may use many hosts, and a host may serve many projects. */
export interface FetchRequest {
  readonly projectId: string;
  readonly host: string;
}

export const FAST_MS = 3_000;

/**
 * A fetch that gave no image keeps the place of its project for so long since it began, about as long as a photograph on a usual host takes.
 * Its result is published at once and its host is free at once: a report with bad addresses does not wait, only further fetches of a project
 * with more than sixteen such addresses in a second do. A failure takes all services together as much work as an image that is fetched
 * (14 ms of a core, in reports of eight failures each), but nothing slows it down: without this limit, they used most of two cores.
 */
const FAILED_FETCH_MS = 1_000;

/** How long the place of the project stays taken after a fetch that gave no image. */
export const keepsPlaceMs = (tookMs: number): number => Math.max(0, FAILED_FETCH_MS - tookMs);

/** A fetch that waits for its host holds a socket and a quarter of a megabyte. */
const PLACES = 48;
/** The last places are for projects that hold none, so that a project finds one, however many hosts of other projects hang. */
const LAST_PLACES = 16;
/** Half of the others: a second project finds room for many images at once. */
const PLACES_OF_PROJECT = (PLACES - LAST_PLACES) / 2;
const PLACES_OF_PROJECT_MIN = 2;
const PLACES_OF_HOST = 4;
/** Requests that wait here for a place: enough to fill the places until a rejected message is delivered again. */
const WAITING_MAX = 512;
const WAITING_OF_PROJECT = 128;

/** Every project may have one request waiting, even if the queue is full. Hence twice the room. */
export const IN_HAND_MAX = 2 * (PLACES + WAITING_MAX);

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8_000;

/** When a rejected request is delivered again: the first time before the queue is empty, later seldom enough to cost little. */
export const retryMs = (deliveryCount: number): number => Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (deliveryCount - 1));

/**
 * Which fetches run in this process. A host that hangs holds few places, the hosts of one project never hold more than a third, the last
 * third goes to projects that hold none, and the next place goes to the waiting project that holds the fewest.
 */
export class FetchQueue<T extends FetchRequest> {
  private readonly projects = new AdaptiveLimits({
    min: PLACES_OF_PROJECT_MIN,
    initial: PLACES_OF_PROJECT,
    max: PLACES_OF_PROJECT,
    onTimeout: 'halve',
  });
  private readonly hosts = new AdaptiveLimits({ min: 1, initial: PLACES_OF_HOST, max: PLACES_OF_PROJECT, onTimeout: 'halve' });
  private readonly waiting = new Set<T>();
  private readonly waitingOf = new Map<string, number>();
  private inFlight = 0;

  request(request: T): 'admitted' | 'queued' | 'rejected' {
    if (this.hasRoom(request)) {
      this.admit(request);
      return 'admitted';
    }
    const ofProject = this.waitingOf.get(request.projectId) ?? 0;
    const isFull = this.waiting.size >= WAITING_MAX || ofProject >= WAITING_OF_PROJECT;
    if (isFull && ofProject > 0) return 'rejected';
    this.waiting.add(request);
    this.waitingOf.set(request.projectId, ofProject + 1);
    return 'queued';
  }

  /** Returns the requests that are admitted now. The place of a project that `keepsPlace` stays taken until `release`. */
  leave({ projectId, host }: T, outcome: CallOutcome, keepsPlace = false): T[] {
    this.inFlight -= 1;
    this.hosts.end(host, outcome);
    if (!keepsPlace) this.projects.end(projectId, outcome);
    return this.admitted();
  }

  /** Returns the requests that are admitted now. */
  release(projectId: string, outcome: CallOutcome): T[] {
    this.projects.end(projectId, outcome);
    return this.admitted();
  }

  cancel(request: T): void {
    if (!this.waiting.delete(request)) return;
    const left = this.waitingOf.get(request.projectId)! - 1;
    if (left > 0) this.waitingOf.set(request.projectId, left);
    else this.waitingOf.delete(request.projectId);
  }

  private hasRoom({ projectId, host }: T): boolean {
    const places = this.projects.inFlight(projectId) === 0 ? PLACES : PLACES - LAST_PLACES;
    return this.inFlight < places && this.projects.free(projectId) > 0 && this.hosts.free(host) > 0;
  }

  private admit({ projectId, host }: T): void {
    this.inFlight += 1;
    this.projects.begin(projectId);
    this.hosts.begin(host);
  }

  private admitted(): T[] {
    const admitted: T[] = [];
    for (let next = this.next(); next; next = this.next()) {
      this.cancel(next);
      this.admit(next);
      admitted.push(next);
    }
    return admitted;
  }

  private next(): T | undefined {
    let best: T | undefined;
    for (const request of this.waiting) {
      if (!this.hasRoom(request)) continue;
      if (!best || this.projects.inFlight(request.projectId) < this.projects.inFlight(best.projectId)) best = request;
    }
    return best;
  }
}
