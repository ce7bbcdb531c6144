import { DomainError, newId } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { Injectable } from '@nestjs/common';

/** Of one process. An export is many reads of the ledger. */
const RUNNING_MAX = 4;
/** The turn of a process that died is free after so long. */
const HELD_SECONDS = 60;
const RENEW_EVERY_MS = 15_000;

/** The database's clock decides, because the processes of several machines read this table. */
const UNTIL = `clock_timestamp() + interval '${HELD_SECONDS} seconds'`;

const TAKE = `
  INSERT INTO export_turns (project_id, turn_id, held_until) VALUES ($1, $2, ${UNTIL})
  ON CONFLICT (project_id) DO UPDATE SET turn_id = excluded.turn_id, held_until = excluded.held_until
   WHERE export_turns.held_until < clock_timestamp()
  RETURNING turn_id`;

const RENEW = `UPDATE export_turns SET held_until = ${UNTIL} WHERE project_id = $1 AND turn_id = $2 RETURNING turn_id`;

const GIVE_BACK = 'DELETE FROM export_turns WHERE project_id = $1 AND turn_id = $2 RETURNING turn_id';

interface ExportTurn {
  /** Aborted when another process has taken the turn, because this one said nothing for too long. */
  readonly lost: AbortSignal;
  readonly giveBack: () => Promise<void>;
}

/** A project makes one export at a time, whichever process makes it. */
@Injectable()
export class ExportTurns {
  private readonly log = logger('exports');
  private running = 0;

  constructor(private readonly database: Database) {}

  /** Fails with rate_limited while another export of the project runs. */
  async take(projectId: string): Promise<ExportTurn> {
    if (this.running >= RUNNING_MAX) throw new DomainError('rate_limited');
    this.running += 1;
    const turnId = newId();
    try {
      const taken = await this.database.projectQuery(projectId, TAKE, [projectId, turnId]);
      if (taken.length === 0) throw new DomainError('rate_limited');
    } catch (error) {
      this.running -= 1;
      throw error;
    }
    return this.held(projectId, turnId);
  }

  private held(projectId: string, turnId: string): ExportTurn {
    const lost = new AbortController();
    const renew = async () => {
      const renewed = await this.database.projectQuery(projectId, RENEW, [projectId, turnId]);
      if (renewed.length === 0) lost.abort(new Error('Another process has taken the turn of this export'));
    };
    const failed = (error: unknown) => this.log.warn({ err: error, project_id: projectId }, 'The turn of an export was not written');
    const renewing = setInterval(() => void renew().catch(failed), RENEW_EVERY_MS).unref();
    let isHeld = true;
    const giveBack = async () => {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(renewing);
      this.running -= 1;
      await this.database.projectQuery(projectId, GIVE_BACK, [projectId, turnId]).catch(failed);
    };
    return { lost: lost.signal, giveBack };
  }
}
