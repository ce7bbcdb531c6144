import { cutOf, faulty, isRetention, RETENTION, type Clock, type RetentionKind } from '@tire/kernel';
import type { QueryRunner } from 'typeorm';
import { z } from 'zod';
import type { Database } from '../database/database';
import { projectTable } from '../database/row-level-security';

/** What a project chose. Without a row it has the default of the installation. */
export async function retentionTable(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE retention_days (
      project_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      days integer NOT NULL CHECK (days >= 0),
      changed_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, kind)
    );
    CREATE INDEX retention_days_of_kind ON retention_days (kind)`);
  await projectTable(queryRunner, 'retention_days', 'SELECT, INSERT, UPDATE, DELETE');
}

/** A default of the installation, within the bounds of what a project can choose. */
export const retentionDays = (kind: RetentionKind, days: number) => {
  const { daysMin, daysMax, keeps } = RETENTION[kind];
  return z.coerce
    .number()
    .int()
    .refine((value) => isRetention(kind, value), `must be ${keeps ? '0, or ' : ''}${daysMin} to ${daysMax}`)
    .default(days);
};

interface RetentionRule {
  readonly kind: string;
  /** Undefined: the default. */
  readonly days?: number | undefined;
  readonly defaultDays: number;
}

/** The defaults of the kinds that the service keeps. */
export type RetentionDefaults = Readonly<Partial<Record<RetentionKind, number>>>;

/** For each project with a choice of its own the time before which its rows have to go; null: none has. Of others, `otherwise`. */
export interface Cuts {
  readonly projectIds: readonly string[];
  readonly cuts: readonly (Date | null)[];
  readonly otherwise: Date | null;
}

/** What all projects chose for one kind. */
interface ChosenRetention {
  readonly projects: readonly { readonly projectId: string; readonly days: number }[];
  readonly defaultDays: number;
}

export const cutsOf = ({ projects, defaultDays }: ChosenRetention, now: Date): Cuts => ({
  projectIds: projects.map(({ projectId }) => projectId),
  cuts: projects.map(({ days }) => cutOf(days, now)),
  otherwise: cutOf(defaultDays, now),
});

/** No row has to go, whatever its age. */
export const endsNothing = ({ cuts, otherwise }: Cuts): boolean => otherwise === null && cuts.every((cut) => cut === null);

const OF_PROJECT = 'SELECT kind, days FROM retention_days WHERE project_id = $1';
const OF_KIND = 'SELECT project_id AS "projectId", days FROM retention_days WHERE kind = $1';
const SAVE = `
  INSERT INTO retention_days (project_id, kind, days, changed_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (project_id, kind) DO UPDATE SET days = excluded.days, changed_at = excluded.changed_at`;

/** How long each project keeps what this service stores. */
export class RetentionRules {
  constructor(
    private readonly database: Database,
    private readonly defaults: RetentionDefaults,
    private readonly clock: Clock,
  ) {}

  async of(projectId: string): Promise<RetentionRule[]> {
    const chosen = await this.database.projectQuery<{ kind: string; days: number }>(projectId, OF_PROJECT, [projectId]);
    return Object.entries(this.defaults).map(([kind, defaultDays]) => ({
      kind,
      days: chosen.find((row) => row.kind === kind)?.days,
      defaultDays,
    }));
  }

  /** Without days: the default again. */
  async choose(projectId: string, kind: string, days: number | undefined): Promise<void> {
    if (!this.isKept(kind)) throw faulty('kind', 'is nothing that this service keeps.');
    if (!isRetention(kind, days ?? null)) throw faulty('days', 'is out of bounds.');
    await this.database.withProject(projectId, (tx) =>
      days === undefined
        ? tx.execute('DELETE FROM retention_days WHERE project_id = $1 AND kind = $2', [projectId, kind])
        : tx.execute(SAVE, [projectId, kind, days, this.clock.now()]),
    );
  }

  async cuts(kind: RetentionKind, now: Date): Promise<Cuts> {
    return cutsOf(await this.all(kind), now);
  }

  async all(kind: RetentionKind): Promise<ChosenRetention> {
    const projects = await this.database.systemQuery<{ projectId: string; days: number }>(OF_KIND, [kind]);
    return { projects, defaultDays: this.defaults[kind] ?? 0 };
  }

  private isKept(kind: string): kind is RetentionKind {
    return kind in this.defaults;
  }
}
