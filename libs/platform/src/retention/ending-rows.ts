import type { RetentionKind } from '@tire/kernel';
import type { Database } from '../database/database';
import { dueParams, dueRows, IN_INDEX_ORDER, lagOf, readInIndexOrder, type EndingRows } from './due-rows';
import { endsNothing, type RetentionRules } from './retention-rules';
import type { Ending } from './retention-sweep';

/** One process at a time removes rows of a kind; the lock ends with its transaction. */
const LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('retention ' || $1, 0)) AS mine";

interface RemovedRows extends EndingRows {
  readonly kind: RetentionKind;
  /** A statement that follows `due` and deletes those rows, in as many rows of its result or of its count. */
  readonly remove: string;
  readonly atOnce?: number;
  /** Parameters from $6 on, which `where` and `remove` use. */
  readonly more?: () => Promise<readonly unknown[]>;
}

/** Rows of the database of the service that end with time. */
export function endingRows(database: Database, rules: Pick<RetentionRules, 'cuts'>, rows: RemovedRows): Ending {
  const { kind, remove, atOnce = 1_000, more = async () => [] } = rows;
  const statement = `${dueRows(rows)} ${remove}`;
  const lag = lagOf(rows);
  const params = async (now: Date): Promise<unknown[] | null> => {
    const cuts = await rules.cuts(kind, now);
    return endsNothing(cuts) ? null : [...dueParams(cuts, atOnce), ...(await more())];
  };
  return {
    kind,
    removeSome: async (now) => {
      const given = await params(now);
      if (given === null) return 0;
      return database.asSystem(async (tx) => {
        const [lock] = await tx.rows<{ mine: boolean }>(LOCK, [kind]);
        if (!lock!.mine) return 0;
        await tx.execute(IN_INDEX_ORDER);
        return tx.execute(statement, given);
      });
    },
    lagS: async (now) => {
      const given = await params(now);
      if (given === null) return 0;
      const [row] = await readInIndexOrder<{ lag: number | null }>(database, lag, given);
      return row?.lag ?? 0;
    },
  };
}
