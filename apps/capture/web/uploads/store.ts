import { isOvertaken, mayReopen, type Photo } from './photo';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Where photographs wait. Each change is one transaction. */
export interface PhotoStore {
  list(reportId: string): Promise<Photo[]>;
  /** Adds a photograph and removes earlier ones of its slot. */
  add(photo: Photo, bytes: Bytes): Promise<void>;
  /** False: the photograph is gone, because a newer one took its place, or another tab has brought it further. */
  update(photo: Photo): Promise<boolean>;
  bytesOf(id: string): Promise<Bytes | null>;
  remove(id: string): Promise<void>;
}

/** The bytes are needed until the registration is accepted, or nothing can send them any more. The record stays, for its small picture. */
export const needsBytes = (photo: Photo): boolean => (photo.stage.at === 'refused' ? mayReopen(photo) : photo.stage.at !== 'registered');

/** For a browser without a database, or with a full one: the photographs live as long as the page. */
export class MemoryStore implements PhotoStore {
  private readonly photos = new Map<string, Photo>();
  private readonly bytes = new Map<string, Bytes>();

  has = (id: string): boolean => this.photos.has(id);

  list(reportId: string): Promise<Photo[]> {
    return Promise.resolve([...this.photos.values()].filter((photo) => photo.reportId === reportId));
  }

  add(photo: Photo, bytes: Bytes): Promise<void> {
    for (const other of this.photos.values()) if (other.reportId === photo.reportId && other.slotId === photo.slotId) this.forget(other.id);
    this.photos.set(photo.id, photo);
    this.bytes.set(photo.id, bytes);
    return Promise.resolve();
  }

  update(photo: Photo): Promise<boolean> {
    const stored = this.photos.get(photo.id);
    if (!stored || isOvertaken(stored, photo)) return Promise.resolve(false);
    this.photos.set(photo.id, photo);
    if (!needsBytes(photo)) this.bytes.delete(photo.id);
    return Promise.resolve(true);
  }

  bytesOf(id: string): Promise<Bytes | null> {
    return Promise.resolve(this.bytes.get(id) ?? null);
  }

  remove(id: string): Promise<void> {
    this.forget(id);
    return Promise.resolve();
  }

  private forget(id: string): void {
    this.photos.delete(id);
    this.bytes.delete(id);
  }
}
