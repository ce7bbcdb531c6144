import type { Database, Tx } from '@tire/platform';
import { digestOf } from '../secrets';

const KNOWN_FOR_MS = 400 * 86_400_000;

/** Bound to the account: a browser that two people use is known for each of them. */
const digestFor = (userId: string, browserToken: string): Buffer => digestOf(`browser ${userId} ${browserToken}`);

/** Remembers the browser, and returns whether the account was signed in from it before. */
export async function recognizeBrowser(tx: Tx, userId: string, browserToken: string, now: Date): Promise<boolean> {
  const [row] = await tx.rows<{ isNew: boolean }>(
    `INSERT INTO known_browsers (digest, at) VALUES ($1, $2) ON CONFLICT (digest) DO UPDATE SET at = excluded.at
     RETURNING xmax = 0 AS "isNew"`,
    [digestFor(userId, browserToken), now],
  );
  return row?.isNew === false;
}

export const forgetBrowsers = (database: Database, now: Date): Promise<unknown[]> =>
  database.systemQuery('DELETE FROM known_browsers WHERE at < $1', [new Date(now.getTime() - KNOWN_FOR_MS)]);
