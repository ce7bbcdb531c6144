/** Whose an image is and who gives it out: a project may have many hosts, and a host may serve many projects. */
export interface Asker {
  readonly projectId: string;
  readonly host: string;
}

/** How a host behaved: at once, in its time, or not at all until the time was up. */
export type Manner = 'quick' | 'slow' | 'silent';

export const QUICK_MS = 3_000;

/** A fetch that waits for its host is a socket and a quarter of a megabyte. */
const PLACES = 32;
/** Beside them others find room, however many hosts of a project are silent. */
const PLACES_OF_PROJECT = PLACES / 2;
const PLACES_OF_PROJECT_MIN = 2;
const PLACES_OF_STRANGER = 4;
/** Messages that wait here for a place: enough to fill the places until what was put back comes again. */
const WAITING_MAX = 512;
const WAITING_OF_PROJECT = 128;
/** Whoever is forgotten begins anew. */
const REMEMBERED_MAX = 10_000;

/** Every project may have one waiting, also when there is no more room. */
export const IN_HAND_MAX = 2 * (PLACES + WAITING_MAX);

const FIRST_RETURN_MS = 500;
const LAST_RETURN_MS = 8_000;

/** When work comes again that found no place: at first before those that wait have all had theirs, then seldom enough to cost little. */
export const returnMs = (deliveryCount: number): number => Math.min(LAST_RETURN_MS, FIRST_RETURN_MS * 2 ** (deliveryCount - 1));

interface Share {
  readonly limit: number;
  readonly underWay: number;
}

/** How many places each has and may have: fewer when it is silent, more again when it is quick. */
class Shares {
  private readonly known = new Map<string, Share>();

  constructor(private readonly bounds: { readonly min: number; readonly first: number; readonly max: number }) {}

  underWay(name: string): number {
    return this.of(name).underWay;
  }

  hasRoom(name: string): boolean {
    const { limit, underWay } = this.of(name);
    return underWay < limit;
  }

  begin(name: string): void {
    const { limit, underWay } = this.of(name);
    this.known.set(name, { limit, underWay: underWay + 1 });
  }

  end(name: string, manner: Manner): void {
    const { min, first, max } = this.bounds;
    const share = this.of(name);
    const limit = { quick: Math.min(max, share.limit * 2), slow: share.limit, silent: Math.max(min, share.limit >> 1) }[manner];
    const underWay = share.underWay - 1;
    // Put last, so that the first ones are those that were not heard of for the longest time.
    this.known.delete(name);
    if (underWay > 0 || limit !== first) this.known.set(name, { limit, underWay });
    if (this.known.size > REMEMBERED_MAX) this.forgetOne();
  }

  private of(name: string): Share {
    return this.known.get(name) ?? { limit: this.bounds.first, underWay: 0 };
  }

  private forgetOne(): void {
    for (const [name, { underWay }] of this.known) if (underWay === 0) return void this.known.delete(name);
  }
}

/** Who fetches in this process. Silent hosts hold few places, those of one project never more than half, and who has fewest is next. */
export class Places<T extends Asker> {
  private readonly projects = new Shares({ min: PLACES_OF_PROJECT_MIN, first: PLACES_OF_PROJECT, max: PLACES_OF_PROJECT });
  private readonly hosts = new Shares({ min: 1, first: PLACES_OF_STRANGER, max: PLACES_OF_PROJECT });
  private readonly waiting = new Set<T>();
  private readonly waitingOf = new Map<string, number>();
  private underWay = 0;

  ask(asker: T): 'enter' | 'wait' | 'come again' {
    if (this.hasRoom(asker)) {
      this.enter(asker);
      return 'enter';
    }
    const ofProject = this.waitingOf.get(asker.projectId) ?? 0;
    const isFull = this.waiting.size >= WAITING_MAX || ofProject >= WAITING_OF_PROJECT;
    if (isFull && ofProject > 0) return 'come again';
    this.waiting.add(asker);
    this.waitingOf.set(asker.projectId, ofProject + 1);
    return 'wait';
  }

  /** Returns who enters now. */
  leave({ projectId, host }: T, manner: Manner): T[] {
    this.underWay -= 1;
    this.projects.end(projectId, manner);
    this.hosts.end(host, manner);
    const entered: T[] = [];
    for (let next = this.next(); next; next = this.next()) {
      this.waitNoMore(next);
      this.enter(next);
      entered.push(next);
    }
    return entered;
  }

  waitNoMore(asker: T): void {
    if (!this.waiting.delete(asker)) return;
    const left = this.waitingOf.get(asker.projectId)! - 1;
    if (left > 0) this.waitingOf.set(asker.projectId, left);
    else this.waitingOf.delete(asker.projectId);
  }

  private hasRoom({ projectId, host }: T): boolean {
    return this.underWay < PLACES && this.projects.hasRoom(projectId) && this.hosts.hasRoom(host);
  }

  private enter({ projectId, host }: T): void {
    this.underWay += 1;
    this.projects.begin(projectId);
    this.hosts.begin(host);
  }

  private next(): T | undefined {
    let best: T | undefined;
    for (const asker of this.waiting) {
      if (!this.hasRoom(asker)) continue;
      if (!best || this.projects.underWay(asker.projectId) < this.projects.underWay(best.projectId)) best = asker;
    }
    return best;
  }
}
