import { prepared, type Database, type Tx } from '@tire/platform';
import type { PendingKind, WorkKind } from '../domain/work';
import { aliased, SLOT, type LoadedSlot } from '../reports/report.rows';

/** A slot whose work is handed out now. */
export type HandedSlot = LoadedSlot & {
  readonly reportId: string;
  readonly projectId: string;
  /** How often it was handed out before. */
  readonly attempts: number;
  readonly queuedAt: Date;
  readonly trace: Record<string, string>;
};

/** A waiting slot has not been handed out, or was put back because no answer came. */
const WAITS = 'queued_at IS NOT NULL AND handover_at IS NULL';

/** Jumps from project to project in the index: its time does not grow with the number of slots that wait. $1 the kind. */
const WAITING_PROJECTS = `
  waiting AS (
    (SELECT project_id FROM slots WHERE work_kind = $1 AND ${WAITS} ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT project_id FROM slots WHERE work_kind = $1 AND ${WAITS} AND project_id > last.project_id ORDER BY project_id LIMIT 1)
      FROM waiting last WHERE last.project_id IS NOT NULL
  )`;

/** Whether the project p has fewer handed out than it may. */
const mayHaveMore = (most: string): string => `NOT EXISTS (
  SELECT FROM slots s WHERE s.work_kind = $1 AND s.project_id = p.project_id AND handover_at IS NOT NULL OFFSET ${most} - 1)`;

/** Ends at the first project that may have more. $2 how many a project may have handed out at once. */
const WHAT_WAITS = `
  WITH RECURSIVE ${WAITING_PROJECTS}
  SELECT EXISTS (SELECT FROM slots WHERE work_kind = $1 AND ${WAITS}) AS waits,
         EXISTS (SELECT FROM waiting p WHERE p.project_id IS NOT NULL AND ${mayHaveMore('$2::int')}) AS "mayHaveMore"`;

/** Of the work that waits: none, only work that cannot be handed out at this moment, or work to hand out. */
export type Waits = 'nothing' | 'later' | 'now';

export async function whatWaits(database: Database, kind: WorkKind, perProject: number): Promise<Waits> {
  const [found] = await database.systemQuery<{ waits: boolean; mayHaveMore: boolean }>(WHAT_WAITS, [kind, perProject]);
  if (found?.mayHaveMore) return 'now';
  return found?.waits ? 'later' : 'nothing';
}

const STILL_WAITS = prepared(`SELECT EXISTS (SELECT FROM slots WHERE work_kind = $1 AND ${WAITS}) AS waits`);

/** What was handed out in this transaction does not wait. */
export async function stillWaits(tx: Tx, kind: WorkKind): Promise<boolean> {
  const [found] = await tx.rows<{ waits: boolean }>(STILL_WAITS, [kind]);
  return found?.waits ?? false;
}

const TRY_LOCK = prepared(`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 3)) AS locked`);

/** One process at a time hands out the work of a kind: it first reads how much the workers request. */
export async function tryLockKind(tx: Tx, kind: WorkKind): Promise<boolean> {
  const [row] = await tx.rows<{ locked: boolean }>(TRY_LOCK, [kind]);
  return row?.locked ?? false;
}

/** At most so many waiting slots count towards the load of a project, so that projects with much work share evenly. Four reports of eight images. */
const BACKLOG_MAX = 32;
/** Only so many projects, those that were given the least, are considered. With 1,000 projects the choice took 90 ms without this limit. */
const CANDIDATES_MAX = 100;

/**
 * The candidates are the projects that were given the least. A level that is lower than that of all of them rises. Left out are projects
 * that have as many handed out as they may: they must not take the places of those that can be served.
 */
const LEAST_GIVEN = `
  candidates AS (
    SELECT project_id, given FROM projects ORDER BY given LIMIT ${CANDIDATES_MAX}
  ), raised AS (
    INSERT INTO work_levels (work_kind, given)
    SELECT $1, min(c.given) FROM candidates c, level GROUP BY level.given HAVING min(c.given) > level.given
    ON CONFLICT (work_kind) DO UPDATE SET given = excluded.given
  )`;

/** The only candidate is the project that waits the longest for a turn, whatever its load. */
const WAITS_LONGEST = `
  candidates AS (
    SELECT project_id, given FROM projects p, LATERAL (
      SELECT queued_at FROM slots s WHERE s.work_kind = $1 AND s.project_id = p.project_id AND ${WAITS} ORDER BY queued_at LIMIT 1) oldest
     ORDER BY greatest(last_turn_at, queued_at) LIMIT 1
  )`;

/**
 * The load of a project is what it was given and what it has waiting. The project with the smallest load comes first, and each piece adds to
 * it: a project with little work is served before the others, and projects with much work share evenly. Of equals the one comes first whose
 * work waits longest. Within a project the oldest comes first.
 * Time without work earns no credit: a project counts as given at least the level, which is what the waiting project that was given least
 * had been given. With credit, a project that begins would come before all that were served meanwhile.
 *
 * $1 the kind, $2 how many, $3 now, $4 how many a project may have handed out at once.
 */
const handOutTo = (candidates: string): string => `
  WITH RECURSIVE level AS (
    SELECT coalesce((SELECT given FROM work_levels WHERE work_kind = $1), 0) AS given
  ), ${WAITING_PROJECTS}, projects AS (
    SELECT p.project_id, greatest(w.given, level.given) AS given, last_turn_at
      FROM level, waiting p LEFT JOIN work_shares w ON w.project_id = p.project_id AND w.work_kind = $1
     WHERE p.project_id IS NOT NULL
       AND ${mayHaveMore('$4')}
  ), ${candidates}, known AS (
    SELECT project_id, given + backlog.count AS load, oldest, handed.count AS handed
      FROM candidates c,
           LATERAL (SELECT count(*), min(queued_at) AS oldest FROM (
             SELECT queued_at FROM slots s WHERE s.work_kind = $1 AND s.project_id = c.project_id AND ${WAITS}
              ORDER BY queued_at LIMIT ${BACKLOG_MAX}) few) backlog,
           LATERAL (SELECT count(*) FROM slots s WHERE s.work_kind = $1 AND s.project_id = c.project_id AND handover_at IS NOT NULL) handed
  ), shares AS (
    SELECT project_id, load, least($2, $4 - handed) AS most FROM known ORDER BY load, oldest LIMIT $2
  ), chosen AS (
    SELECT report_id, slot_id FROM shares, LATERAL (
      SELECT report_id, slot_id, queued_at, row_number() OVER (ORDER BY queued_at, report_id, slot_id) AS place FROM (
        SELECT report_id, slot_id, queued_at FROM slots s WHERE s.work_kind = $1 AND s.project_id = shares.project_id AND ${WAITS}
         ORDER BY queued_at LIMIT shares.most) oldest) mine
     ORDER BY load + place, queued_at LIMIT $2
  ), free AS MATERIALIZED (
    SELECT report_id AS id, slot_id AS slot FROM slots JOIN chosen USING (report_id, slot_id)
     WHERE work_kind = $1 AND ${WAITS} FOR UPDATE OF slots SKIP LOCKED
  ), handed AS (
    UPDATE slots SET handover_at = $3 FROM free WHERE report_id = id AND slot_id = slot
    RETURNING report_id, project_id, handover_attempts, trace, queued_at, ${Object.values(SLOT).join(', ')}
  ), counted AS (
    INSERT INTO work_shares (project_id, work_kind, given, last_turn_at)
    SELECT project_id, $1, given + count(*), $3 FROM handed JOIN candidates USING (project_id) GROUP BY project_id, given
    ON CONFLICT (project_id, work_kind) DO UPDATE SET given = excluded.given, last_turn_at = excluded.last_turn_at
  )
  SELECT report_id AS "reportId", project_id AS "projectId", handover_attempts AS attempts, queued_at AS "queuedAt", trace, ${aliased(SLOT)},
         NULL AS provenance, NULL AS "errorCode", NULL AS model
    FROM handed ORDER BY queued_at`;

const HAND_OUT = { byLoad: prepared(handOutTo(LEAST_GIVEN)), longest: prepared(handOutTo(WAITS_LONGEST)) };

/** A slot that a command changes at this moment is left for the next time. */
export const handOut = (tx: Tx, kind: WorkKind, room: number, now: Date, perProject: number): Promise<HandedSlot[]> =>
  tx.rows<HandedSlot>(HAND_OUT.byLoad, [kind, room, now, perProject]);

/** One piece of the project that waits the longest for a turn. */
export const handOutLongest = (tx: Tx, kind: WorkKind, now: Date, perProject: number): Promise<HandedSlot[]> =>
  tx.rows<HandedSlot>(HAND_OUT.longest, [kind, 1, now, perProject]);

export interface WaitingSlots {
  readonly kind: PendingKind;
  readonly count: number;
  readonly oldestAgeS: number;
}

/** Two indexes hold these slots: those that wait, and those that are handed out. */
const WAITING_SLOTS = `
  SELECT work_kind AS kind, count(*)::int AS count,
         greatest(extract(epoch FROM max($1::timestamptz - queued_at)), 0)::float AS "oldestAgeS"
  FROM (SELECT work_kind, queued_at FROM slots WHERE ${WAITS}
        UNION ALL SELECT work_kind, queued_at FROM slots WHERE handover_at IS NOT NULL) pending
  GROUP BY 1`;

export const waitingSlots = (database: Database, now: Date): Promise<WaitingSlots[]> =>
  database.systemQuery<WaitingSlots>(WAITING_SLOTS, [now]);
