import { LRUCache } from 'lru-cache';

const FORGOTTEN_MS = 600_000;
const PROJECTS_MAX = 1_000;
/** One such image already runs alone at its second attempt. Two images of a project are a pattern. */
const IMAGES = 2;

/** The projects whose images broke the shared process of a model lately. Their images run alone from the first attempt on. */
export class BreakingProjects {
  private readonly images = new LRUCache<string, ReadonlySet<string>>({ max: PROJECTS_MAX, ttl: FORGOTTEN_MS });

  broke(projectId: string, analysisId: string): void {
    this.images.set(projectId, new Set([...(this.images.get(projectId) ?? []), analysisId].slice(-IMAGES)));
  }

  has(projectId: string): boolean {
    return (this.images.get(projectId)?.size ?? 0) >= IMAGES;
  }
}
