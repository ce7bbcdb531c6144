import type { Tx } from '@tire/platform';
import { claimOfEach, claimOldest, type OutboxRow, projectsAfter } from './outbox.store';

const BEFORE_EVERY_PROJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Which messages are published next. While a batch takes everything that waits, that is the order of addition. A full batch shows a
 * backlog: from then on projects take turns, until a whole round of them finds nothing that is due. One relay claims the messages of a
 * project in their order.
 */
export class Claims {
  private behind = false;
  /** The project that was served last, where there are more projects than a batch has places. */
  private last = BEFORE_EVERY_PROJECT;
  private isRoundEmpty = true;

  constructor(private readonly size: number) {}

  /** Whether more messages wait, as far as the last batch shows. */
  get isBehind(): boolean {
    return this.behind;
  }

  async next(tx: Tx): Promise<OutboxRow[]> {
    if (this.behind) return this.inTurns(tx);
    const rows = await claimOldest(tx, this.size, []);
    this.behind = rows.length === this.size;
    return rows;
  }

  private async inTurns(tx: Tx): Promise<OutboxRow[]> {
    const rows = await this.ofEachProject(tx);
    // Fills the rest of the batch: projects had fewer messages than their share, or messages that are not due.
    if (rows.length < this.size) rows.push(...(await claimOldest(tx, this.size - rows.length, rows)));
    this.isRoundEmpty &&= rows.length === 0;
    if (this.last === BEFORE_EVERY_PROJECT) {
      this.behind = !this.isRoundEmpty;
      this.isRoundEmpty = true;
    }
    return rows;
  }

  /** An equal share of the batch for each project. Where not all projects fit, one message each, and the next batch begins after them. */
  private async ofEachProject(tx: Tx): Promise<OutboxRow[]> {
    const projectIds = await projectsAfter(tx, this.last, this.size);
    const isLastPage = projectIds.length < this.size;
    const isOnlyPage = isLastPage && this.last === BEFORE_EVERY_PROJECT;
    this.last = isLastPage ? BEFORE_EVERY_PROJECT : projectIds.at(-1)!;
    if (projectIds.length === 0) return [];
    return claimOfEach(tx, projectIds, isOnlyPage ? Math.floor(this.size / projectIds.length) : 1);
  }
}
