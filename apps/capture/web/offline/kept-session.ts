import type { CaptureSession } from '@tire/contracts/capture';
import { Connection } from '../uploads/connection';
import { complete, settled } from '../uploads/indexed-db';

const NAME = 'capture-links';
const SESSIONS = 'sessions';

/**
 * What the page needs in order to open again without a network. Without the telephone number, the logo, the place of the shop, and addresses that
 * lead elsewhere: one opens the report.
 */
const keptOf = (session: CaptureSession): CaptureSession => ({
  schema_version: session.schema_version,
  report_id: session.report_id,
  state: session.state,
  ended_reason: session.ended_reason,
  finished_at: session.finished_at,
  expires_at: session.expires_at,
  language: session.language,
  partner: { name: session.partner.name, phone_number: null, address: null, opening_hours: null, logo_url: null },
  return_url: null,
  share_url: null,
  template: session.template,
  slots: session.slots,
});

async function open(onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(SESSIONS);
  const database = await settled(request);
  database.onclose = onClose;
  return database;
}

/** The digest of the token tells links apart, and opens none. */
async function nameOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`capture page ${token}`));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The session of an open link, on the phone. It is a convenience: without a database, or without the digests of a page that has TLS, there is
 * none.
 */
export class KeptSession {
  private readonly connection = new Connection(open);
  private readonly name: Promise<string>;
  private last = '';

  constructor(token: string) {
    this.name = nameOf(token);
    this.name.catch(() => undefined);
  }

  async find(): Promise<CaptureSession | null> {
    try {
      const name = await this.name;
      const found = await this.connection.run((database) =>
        settled<CaptureSession | undefined>(database.transaction(SESSIONS).objectStore(SESSIONS).get(name)),
      );
      return found ?? null;
    } catch {
      return null;
    }
  }

  /** One that takes no photographs any more is forgotten. */
  note(session: CaptureSession): Promise<void> {
    if (session.state === 'ended') return this.forget();
    const kept = keptOf(session);
    const text = JSON.stringify(kept);
    if (text === this.last) return Promise.resolve();
    this.last = text;
    return this.change((store, name) => {
      store.put(kept, name);
      forgetExpired(store, name);
    });
  }

  forget(): Promise<void> {
    this.last = '';
    return this.change((store, name) => store.delete(name));
  }

  private async change(work: (store: IDBObjectStore, name: string) => void): Promise<void> {
    try {
      const name = await this.name;
      await this.connection.run((database) => {
        const transaction = database.transaction(SESSIONS, 'readwrite');
        work(transaction.objectStore(SESSIONS), name);
        return complete(transaction);
      });
    } catch {
      // Then the page does not open without a network.
    }
  }
}

/** Other links that nobody opened again. A clock that is wrong costs them a start without a network, and no photograph. */
function forgetExpired(store: IDBObjectStore, except: string): void {
  const cursor = store.openCursor();
  cursor.onsuccess = () => {
    const at = cursor.result;
    if (!at) return;
    if (at.key !== except && Date.parse((at.value as CaptureSession).expires_at) < Date.now()) at.delete();
    at.continue();
  };
}
