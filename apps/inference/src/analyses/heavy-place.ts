import { LRUCache } from 'lru-cache';

const REMEMBERED_TURNS = 1_000;

/**
 * The one place for images whose decode takes much memory. An image that finds it taken is tried again later and does not wait here. So the
 * place stores which projects were refused, and the next turn is that of the project whose last turn is the longest ago.
 */
export class HeavyPlace {
  private isTaken = false;
  /** The time of each project's last refused request. */
  private readonly refused = new Map<string, number>();
  private readonly lastTurns = new LRUCache<string, number>({ max: REMEMBERED_TURNS });
  private turns = 0;

  /** A project without a request for `forgottenMs` loses its turn: another process may have its image. */
  constructor(private readonly forgottenMs: number) {}

  /** Whether the project may take the place now. If not, the place remembers the request, and the project gets its turn. */
  requestTurn(projectId: string, nowMs: number): boolean {
    for (const [project, atMs] of this.refused) if (nowMs - atMs > this.forgottenMs) this.refused.delete(project);
    const mine = this.lastTurnOf(projectId);
    const isNext = [...this.refused.keys()].every((project) => mine <= this.lastTurnOf(project));
    if (!this.isTaken && isNext) return true;
    this.refused.set(projectId, nowMs);
    return false;
  }

  take(projectId: string, nowMs: number): boolean {
    if (!this.requestTurn(projectId, nowMs)) return false;
    this.refused.delete(projectId);
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
