import { LRUCache } from 'lru-cache';

const REMEMBERED_TURNS = 1_000;

/**
 * The one place for images whose decode takes much memory. An image that finds it taken is tried again later and does not wait here. So the
 * place stores which projects try again, and the next turn is that of the project whose last turn is the longest ago.
 */
export class HeavyPlace {
  private isTaken = false;
  /** When each project that tries again tried last. */
  private readonly tried = new Map<string, number>();
  private readonly lastTurns = new LRUCache<string, number>({ max: REMEMBERED_TURNS });
  private turns = 0;

  /** A project without a try for `forgottenMs` loses its turn: another process may have its image. */
  constructor(private readonly forgottenMs: number) {}

  /** Whether the place is free, and no other project that tries again is before this one. */
  isFreeFor(projectId: string, nowMs: number): boolean {
    const mine = this.lastTurnOf(projectId);
    const isBefore = ([project, triedMs]: [string, number]) => nowMs - triedMs <= this.forgottenMs && this.lastTurnOf(project) < mine;
    return !this.isTaken && ![...this.tried].some(isBefore);
  }

  /** The project tries again soon: its turn is kept for it. */
  keepTurnOf(projectId: string, nowMs: number): void {
    for (const [project, triedMs] of this.tried) if (nowMs - triedMs > this.forgottenMs) this.tried.delete(project);
    this.tried.set(projectId, nowMs);
  }

  /** False where the place is not free for the project, which then keeps its turn. */
  take(projectId: string, nowMs: number): boolean {
    if (!this.isFreeFor(projectId, nowMs)) {
      this.keepTurnOf(projectId, nowMs);
      return false;
    }
    this.tried.delete(projectId);
    this.lastTurns.set(projectId, ++this.turns);
    this.isTaken = true;
    return true;
  }

  leave(): void {
    this.isTaken = false;
  }

  private lastTurnOf(projectId: string): number {
    return this.lastTurns.get(projectId) ?? 0;
  }
}
