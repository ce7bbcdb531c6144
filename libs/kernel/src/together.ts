import { DomainError } from './errors';

/** The images of a report. */
const TOGETHER_MAX = 8;

/** The key of what is done together for a report. */
export const ofReport = ({ projectId, reportId }: { readonly projectId: string; readonly reportId: string }): string =>
  `${projectId} ${reportId}`;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** Does the items of one key together, and gives the outcome of each, in their order. An item whose outcome is an error fails alone. */
type DoAll<Item, Outcome> = (items: readonly Item[]) => Promise<readonly (Outcome | Error)[]>;

/**
 * Does in one go what comes for one key in one turn of the event loop, and then what came while that ran. So the images of one report share
 * transactions, and an image that comes alone does not wait. If all fails, each item is done alone, so that it fails for its own reason only;
 * but not where a service is unavailable, for which all would wait one after the other. It runs in the asynchronous context of the item that
 * came first: what an item needs of its own context is part of it.
 */
export class Together<Item, Outcome> {
  private readonly waiting = new Map<string, Waiting<Item, Outcome>[]>();

  constructor(
    private readonly doAll: DoAll<Item, Outcome>,
    private readonly most = TOGETHER_MAX,
  ) {}

  add(key: string, item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const ofKey = this.waiting.get(key);
      if (ofKey) return void ofKey.push({ item, resolve, reject });
      this.waiting.set(key, [{ item, resolve, reject }]);
      setImmediate(() => void this.run(key));
    });
  }

  private async run(key: string): Promise<void> {
    for (let next = this.next(key); next.length > 0; next = this.next(key)) await this.settle(next);
    this.waiting.delete(key);
  }

  private next(key: string): Waiting<Item, Outcome>[] {
    return this.waiting.get(key)!.splice(0, this.most);
  }

  private async settle(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.doAll(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      if (group.length === 1 || isUnavailable(error)) for (const { reject } of group) reject(error);
      else for (const each of group) await this.settle([each]);
    }
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof DomainError && error.code === 'service_unavailable';
