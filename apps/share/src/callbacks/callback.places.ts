import { Places, type Holder } from '@tire/platform';

/** How many attempts may begin now. */
export interface Room {
  readonly all: number;
  /** Of these, how many that are not the first one. */
  readonly retries: number;
}

const holderOf = (projectId: string): Holder => ({ name: projectId, share: 1 });

/**
 * The places for attempts in this process. A project takes half of the free ones at most, because its callbacks may name any number of
 * receivers that never answer. Where none is free, a place that becomes free goes to a project with fewer. Retries have half of the places,
 * shared in the same way.
 */
export class CallbackPlaces {
  private readonly all: Places;
  private readonly retries: Places;

  constructor(max: number) {
    this.all = new Places(max);
    this.retries = new Places(Math.ceil(max / 2));
  }

  get free(): number {
    return this.all.free;
  }

  /** Takes places for a claim, which is the only one at this time: as many as a project wants, up to its share. */
  take(wanted: ReadonlyMap<string, number>): Map<string, Room> {
    const rooms = new Map<string, Room>();
    for (const [projectId, count] of wanted) {
      const holder = holderOf(projectId);
      const all = Math.min(count, this.all.roomOf(holder));
      if (all === 0) continue;
      const retries = Math.min(all, this.retries.roomOf(holder));
      this.all.take([holder], all);
      if (retries > 0) this.retries.take([holder], retries);
      rooms.set(projectId, { all, retries });
    }
    return rooms;
  }

  leave(projectId: string, { all, retries }: Room): void {
    const holders = [holderOf(projectId)];
    this.all.leave(holders, all);
    this.retries.leave(holders, retries);
  }
}
