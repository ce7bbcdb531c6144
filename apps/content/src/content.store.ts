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

@Injectable()
export class ContentStore {
  constructor(private readonly database: Database) {}

  transaction<T>(projectId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.database.withProject(projectId, work);
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
}
