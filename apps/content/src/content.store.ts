import { Injectable } from '@nestjs/common';
import { Database } from '@tire/platform';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';

/** What became of one analysis revision: a document, or the reason why there is none. Written once, never changed. */
@Entity({ name: 'content_outcomes' })
export class ContentOutcome {
  @PrimaryColumn({ name: 'report_id', type: 'uuid' })
  reportId: string;

  @PrimaryColumn({ name: 'analysis_revision', type: 'uuid' })
  analysisRevision: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  @Column({ name: 'content_revision', type: 'uuid', nullable: true })
  contentRevision: string | null;

  @Column({ name: 'content_json', type: 'bytea', nullable: true, select: false })
  contentJson: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  sha256: Buffer | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;
}

export interface StoredContent {
  readonly contentJson: Buffer;
  readonly sha256: Buffer;
}

export interface IssuedContent {
  readonly projectId: string;
  readonly contentRevision: string;
  readonly analysisRevision: string;
  readonly sha256: Buffer;
}

/** A report's lock: held together by whoever answers for it, alone by its discard. Two reports on one number only wait for each other. */
const LOCK_KEY = 'hashtextextended($1::uuid::text, 1)';

@Injectable()
export class ContentStore {
  constructor(private readonly database: Database) {}

  /** One transaction that a discard of the report waits for. A report that is discarded already: nothing is done. */
  unlessDiscarded<T>(projectId: string, reportId: string, work: (tx: EntityManager) => Promise<T>): Promise<T | 'discarded'> {
    return this.database.withProject(projectId, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`, [reportId]);
      const tombstones: unknown[] = await tx.query('SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]);
      return tombstones.length > 0 ? 'discarded' : work(tx);
    });
  }

  /** The tombstone first: the database lets no outcome go without it. */
  async discard(projectId: string, reportId: string): Promise<void> {
    await this.database.withProject(projectId, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [reportId]);
      await tx.query('INSERT INTO discarded_reports (project_id, report_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [projectId, reportId]);
      await tx.delete(ContentOutcome, { reportId });
    });
  }

  findOutcome(tx: EntityManager, reportId: string, analysisRevision: string): Promise<ContentOutcome | null> {
    return tx.findOneBy(ContentOutcome, { reportId, analysisRevision });
  }

  /** The outcome that stands: of two deliveries at once, the first to commit; the other one waits for it here. */
  async keep(tx: EntityManager, outcome: ContentOutcome): Promise<ContentOutcome> {
    await tx.createQueryBuilder().insert().into(ContentOutcome).values(outcome).orIgnore().updateEntity(false).execute();
    return tx.findOneByOrFail(ContentOutcome, { reportId: outcome.reportId, analysisRevision: outcome.analysisRevision });
  }

  async findContent(projectId: string, reportId: string, contentRevision: string): Promise<StoredContent | undefined> {
    const [row] = await this.database.projectQuery<StoredContent>(
      projectId,
      `SELECT content_json AS "contentJson", sha256 FROM content_outcomes WHERE content_revision = $1 AND report_id = $2`,
      [contentRevision, reportId],
    );
    return row;
  }

  /** The latest of a report where no revision is named, in any project where none is named: support has no key. */
  async findIssued(projectId: string, reportId: string, contentRevision: string): Promise<IssuedContent | undefined> {
    const find = async (tx: EntityManager): Promise<IssuedContent | undefined> => {
      const rows: IssuedContent[] = await tx.query(
        `SELECT project_id AS "projectId", content_revision AS "contentRevision", analysis_revision AS "analysisRevision", sha256
           FROM content_outcomes WHERE report_id = $1 AND content_revision = COALESCE($2::uuid, content_revision)
          ORDER BY created_at DESC LIMIT 1`,
        [reportId, contentRevision || null],
      );
      return rows[0];
    };
    return projectId === '' ? this.database.asSystem(find) : this.database.withProject(projectId, find);
  }
}
