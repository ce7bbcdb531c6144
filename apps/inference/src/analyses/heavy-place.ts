import { LRUCache } from 'lru-cache';

const REMEMBERED_TURNS = 1_000;

/**
 * The one place for images whose decode takes much memory. An image that finds it taken is tried again later and does not wait here. So the
 * place stores which projects were refused, and the next turn is that of the project whose last turn is the longest ago.
 */
export class HeavyPlace {
  private isTaken = false;
  /** The time of each project's last attempt. */
  private readonly tried = new Map<string, number>();
  private readonly lastTurns = new LRUCache<string, number>({ max: REMEMBERED_TURNS });
  private turns = 0;

  /** A project without an attempt for `forgottenMs` loses its turn: another process may have its image. */
  constructor(private readonly forgottenMs: number) {}

  /** Whether the project may take the place now. If not, the try counts. */
  isTurnOf(projectId: string, nowMs: number): boolean {
    for (const [project, atMs] of this.tried) if (nowMs - atMs > this.forgottenMs) this.tried.delete(project);
    const mine = this.lastTurnOf(projectId);
    const isNext = [...this.tried.keys()].every((project) => mine <= this.lastTurnOf(project));
    if (!this.isTaken && isNext) return true;
    this.tried.set(projectId, nowMs);
    return false;
  }

  take(projectId: string, nowMs: number): boolean {
    if (!this.isTurnOf(projectId, nowMs)) return false;
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
