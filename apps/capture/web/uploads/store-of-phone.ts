import type { Photo } from './photo';
import { MemoryStore, type PhotoStore, type Bytes } from './store';

/**
 * The database of the phone first, and memory where that one is missing or full. A photograph stays where it was put; one that is only in
 * memory is sent by the page that took it.
 */
export class StoreOfPhone implements PhotoStore {
  private readonly memory = new MemoryStore();
  /** The last list lacks what lies in the database. */
  isIncomplete = false;

  constructor(
    private readonly database: PhotoStore | null,
    /** Called once a photograph could only be kept in memory. */
    private readonly onMemoryOnly: () => void,
  ) {
    if (!database) onMemoryOnly();
  }

  isOnlyHere = (id: string): boolean => this.memory.has(id);

  async list(reportId: string): Promise<Photo[]> {
    const [stored, here] = await Promise.all([this.stored(reportId), this.memory.list(reportId)]);
    // The newest of a slot, whose earlier one may lie in the other place. Of one that lies in both, that of the memory is further.
    const newest = new Map<string, Photo>();
    for (const photo of [...stored, ...here]) if ((newest.get(photo.slotId)?.order ?? -1) <= photo.order) newest.set(photo.slotId, photo);
    return [...newest.values()];
  }

  async add(photo: Photo, bytes: Bytes): Promise<void> {
    try {
      if (!this.database) throw new Error('There is no database.');
      await this.database.add(photo, bytes);
    } catch {
      await this.memory.add(photo, bytes);
      this.onMemoryOnly();
    }
  }

  async update(photo: Photo): Promise<boolean> {
    try {
      return await this.placeOf(photo.id).update(photo);
    } catch {
      // Reading still works. What a page that dies now has not stored is done again.
      const bytes = await this.bytesOf(photo.id);
      // Its bytes go with it when a newer one takes its place.
      if (!bytes) return false;
      await this.memory.add(photo, bytes);
      this.onMemoryOnly();
      return true;
    }
  }

  bytesOf = (id: string): Promise<Bytes | null> => this.placeOf(id).bytesOf(id);
  remove = (id: string): Promise<void> => this.placeOf(id).remove(id);

  private async stored(reportId: string): Promise<Photo[]> {
    try {
      const stored = (await this.database?.list(reportId)) ?? [];
      this.isIncomplete = false;
      return stored;
    } catch {
      this.isIncomplete = true;
      return [];
    }
  }

  private placeOf = (id: string): PhotoStore => (this.memory.has(id) ? this.memory : (this.database ?? this.memory));
}
