import type { Photo } from './photo';
import { needsBytes, type Bytes, type PhotoStore } from './store';

const NAME = 'capture';
const [PHOTOS, BYTES] = ['photos', 'bytes'] as const;

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database failed.'));
  });

/** A transaction counts when it is complete: a full disk aborts it after its requests have succeeded. */
const complete = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
  });

/** A step that throws undoes the whole transaction, whose promise then tells it. */
const orAbort = (transaction: IDBTransaction, step: () => void) => (): void => {
  try {
    step();
  } catch {
    transaction.abort();
  }
};

/** Records and bytes lie apart, so that a list reads no image. */
class Database implements PhotoStore {
  constructor(private readonly database: IDBDatabase) {}

  list(reportId: string): Promise<Photo[]> {
    const photos = this.database.transaction(PHOTOS).objectStore(PHOTOS);
    return settled<Photo[]>(photos.index('report').getAll(reportId));
  }

  async add(photo: Photo, bytes: Bytes): Promise<void> {
    const transaction = this.write();
    const [photos, images] = [transaction.objectStore(PHOTOS), transaction.objectStore(BYTES)];
    const done = complete(transaction);
    const others = photos.index('report').getAll(photo.reportId) as IDBRequest<Photo[]>;
    others.onsuccess = orAbort(transaction, () => {
      for (const other of others.result.filter(({ slotId }) => slotId === photo.slotId)) {
        photos.delete(other.id);
        images.delete(other.id);
      }
      photos.put(photo);
      // Buffers and not blobs: older versions of WebKit lose a blob whose file they have cleaned up.
      images.put(bytes.buffer, photo.id);
    });
    await done;
  }

  async update(photo: Photo): Promise<boolean> {
    const transaction = this.write();
    const photos = transaction.objectStore(PHOTOS);
    let isThere = false;
    const done = complete(transaction);
    const current = photos.getKey(photo.id);
    current.onsuccess = orAbort(transaction, () => {
      isThere = current.result !== undefined;
      if (isThere) photos.put(photo);
      if (!needsBytes(photo)) transaction.objectStore(BYTES).delete(photo.id);
    });
    await done;
    return isThere;
  }

  async bytesOf(id: string): Promise<Bytes | null> {
    const buffer = await settled<ArrayBuffer | undefined>(this.database.transaction(BYTES).objectStore(BYTES).get(id));
    return buffer ? new Uint8Array(buffer) : null;
  }

  async remove(id: string): Promise<void> {
    const transaction = this.write();
    transaction.objectStore(PHOTOS).delete(id);
    transaction.objectStore(BYTES).delete(id);
    await complete(transaction);
  }

  /** Strict: a confirmed transaction is on the disk. Browsers that do not know the option ignore it. */
  private write = (): IDBTransaction => this.database.transaction([PHOTOS, BYTES], 'readwrite', { durability: 'strict' });
}

/** Null in a browser that has no database or refuses it, as some do in private windows. */
export async function openDatabase(): Promise<PhotoStore | null> {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PHOTOS, { keyPath: 'id' }).createIndex('report', 'reportId');
      request.result.createObjectStore(BYTES);
    };
    return new Database(await settled(request));
  } catch {
    return null;
  }
}
