import { Connection } from './connection';
import { complete, settled } from './indexed-db';
import { isOvertaken, type Photo } from './photo';
import { needsBytes, type Bytes, type PhotoStore } from './store';

const NAME = 'capture';
const [PHOTOS, BYTES] = ['photos', 'bytes'] as const;

/** A step that throws undoes the whole transaction, whose promise then tells it. */
const orAbort = (transaction: IDBTransaction, step: () => void) => (): void => {
  try {
    step();
  } catch {
    transaction.abort();
  }
};

/** What photographs lack that an earlier version of the page has stored. */
const OF_EARLIER_PAGES: Pick<Photo, 'mayReplace' | 'insisted'> = { mayReplace: [], insisted: 0 };

/** Records and bytes lie apart, so that a list reads no image. */
class Database implements PhotoStore {
  constructor(private readonly connection: Connection<IDBDatabase>) {}

  list(reportId: string): Promise<Photo[]> {
    return this.connection.run((database) =>
      settled<Photo[]>(database.transaction(PHOTOS).objectStore(PHOTOS).index('report').getAll(reportId)).then((photos) =>
        photos.map((photo) => ({ ...OF_EARLIER_PAGES, ...photo })),
      ),
    );
  }

  add(photo: Photo, bytes: Bytes): Promise<void> {
    return this.write(({ transaction, photos, images }) => {
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
    });
  }

  async update(photo: Photo): Promise<boolean> {
    let isStored = false;
    await this.write(({ transaction, photos, images }) => {
      const current = photos.get(photo.id) as IDBRequest<Photo | undefined>;
      current.onsuccess = orAbort(transaction, () => {
        isStored = current.result !== undefined && !isOvertaken(current.result, photo);
        if (!isStored) return;
        photos.put(photo);
        if (!needsBytes(photo)) images.delete(photo.id);
      });
    });
    return isStored;
  }

  async bytesOf(id: string): Promise<Bytes | null> {
    const buffer = await this.connection.run((database) =>
      settled<ArrayBuffer | undefined>(database.transaction(BYTES).objectStore(BYTES).get(id)),
    );
    return buffer ? new Uint8Array(buffer) : null;
  }

  remove(id: string): Promise<void> {
    return this.write(({ photos, images }) => {
      photos.delete(id);
      images.delete(id);
    });
  }

  private write(requests: (of: { transaction: IDBTransaction; photos: IDBObjectStore; images: IDBObjectStore }) => void): Promise<void> {
    return this.connection.run((database) => {
      // Strict: a confirmed transaction is on the disk. Browsers that do not know the option ignore it.
      const transaction = database.transaction([PHOTOS, BYTES], 'readwrite', { durability: 'strict' });
      requests({ transaction, photos: transaction.objectStore(PHOTOS), images: transaction.objectStore(BYTES) });
      return complete(transaction);
    });
  }
}

async function open(onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(PHOTOS, { keyPath: 'id' }).createIndex('report', 'reportId');
    request.result.createObjectStore(BYTES);
  };
  const database = await settled(request);
  database.onclose = onClose;
  return database;
}

/** Null in a browser that has no database or refuses it, as some do in private windows. */
export async function openDatabase(): Promise<PhotoStore | null> {
  try {
    const connection = new Connection(open);
    await connection.run(() => Promise.resolve());
    return new Database(connection);
  } catch {
    return null;
  }
}
