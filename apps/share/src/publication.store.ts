import { Injectable } from '@nestjs/common';
import { DomainError, newId } from '@tire/kernel';
import { createHash } from 'node:crypto';
import { Column, Entity, type EntityManager, IsNull, PrimaryColumn } from 'typeorm';
import type { Link, Publication } from './domain/publication';

@Entity({ name: 'publications' })
export class PublicationRow {
  @PrimaryColumn({ name: 'report_id', type: 'uuid' })
  reportId: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  @Column({ type: 'text' })
  status: Publication['status'];

  /** A bigint: node-postgres gives it as text. */
  @Column({ type: 'bigint' })
  version: string;

  @Column({ name: 'last_analysis_revision', type: 'uuid', nullable: true })
  lastAnalysisRevision: string | null;

  @Column({ name: 'last_content_revision', type: 'uuid', nullable: true })
  lastContentRevision: string | null;

  @Column({ name: 'published_at', type: 'timestamptz', nullable: true })
  publishedAt: Date | null;

  @Column({ name: 'callback_url', type: 'text', nullable: true })
  callbackUrl: string | null;

  @Column({ name: 'external_inspection_id', type: 'text', nullable: true })
  externalInspectionId: string | null;

  @Column({ name: 'external_vehicle_id', type: 'text', nullable: true })
  externalVehicleId: string | null;
}

@Entity({ name: 'share_links' })
export class ShareLink {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  @Column({ name: 'report_id', type: 'uuid' })
  reportId: string;

  @Column({ type: 'text' })
  token: string;

  @Column({ name: 'token_digest', type: 'bytea' })
  tokenDigest: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What publication keeps of a report beside its state. */
export interface Registration {
  readonly projectId: string;
  readonly reportId: string;
  readonly callbackUrl?: string | undefined;
  readonly externalInspectionId?: string | undefined;
  readonly externalVehicleId?: string | undefined;
}

export interface StoredPublication {
  readonly row: PublicationRow;
  readonly state: Publication;
}

@Injectable()
export class PublicationStore {
  /** The publication of the report, locked; made when there is none, so that two first messages wait for each other too. */
  async lock(tx: EntityManager, projectId: string, reportId: string): Promise<StoredPublication> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(PublicationRow)
      .values({ reportId, projectId, status: 'absent', version: '0' })
      .orIgnore()
      .execute();
    // Another project's row is hidden, and its key is taken: there is nothing to be found here.
    const row = await tx.findOne(PublicationRow, { where: { reportId }, lock: { mode: 'pessimistic_write' } });
    if (!row) throw new DomainError('not_found');
    return { row, state: publicationOf(row, await this.newestLink(tx, reportId)) };
  }

  async find(tx: EntityManager, reportId: string): Promise<Publication> {
    const row = await tx.findOneBy(PublicationRow, { reportId });
    return row ? publicationOf(row, await this.newestLink(tx, reportId)) : { status: 'absent' };
  }

  async save(tx: EntityManager, reportId: string, state: Publication): Promise<void> {
    const last = 'last' in state ? state.last : null;
    await tx.update(
      PublicationRow,
      { reportId },
      {
        status: state.status,
        version: String('version' in state ? state.version : 0),
        lastAnalysisRevision: last?.analysisRevision ?? null,
        lastContentRevision: last?.contentRevision ?? null,
        publishedAt: 'publishedAt' in state ? state.publishedAt : null,
      },
    );
  }

  async saveRegistration(tx: EntityManager, { reportId, callbackUrl, externalInspectionId, externalVehicleId }: Registration) {
    await tx.update(
      PublicationRow,
      { reportId },
      {
        callbackUrl: callbackUrl ?? null,
        externalInspectionId: externalInspectionId ?? null,
        externalVehicleId: externalVehicleId ?? null,
      },
    );
  }

  async addLink(tx: EntityManager, projectId: string, reportId: string, link: Link): Promise<void> {
    await tx.insert(ShareLink, { id: newId(), projectId, reportId, tokenDigest: tokenDigest(link.token), ...link });
  }

  async revokeLinks(tx: EntityManager, reportId: string, revokedAt: Date): Promise<void> {
    await tx.update(ShareLink, { reportId, revokedAt: IsNull() }, { revokedAt });
  }

  /** What a discarded report leaves: that a page was there, known by the digest of its token. */
  async forget(tx: EntityManager, projectId: string, reportId: string, minted: Link): Promise<void> {
    const digest = tokenDigest(minted.token);
    if (!(await tx.existsBy(ShareLink, { tokenDigest: digest }))) await this.addLink(tx, projectId, reportId, minted);
    await tx.update(ShareLink, { reportId }, { token: '' });
    await this.saveRegistration(tx, { projectId, reportId });
  }

  /** The one that is not revoked, of which there is one at most: times come from several clocks, and do not say which is valid. */
  private newestLink(tx: EntityManager, reportId: string): Promise<ShareLink | null> {
    const order = { revokedAt: { direction: 'DESC', nulls: 'FIRST' }, createdAt: 'DESC', id: 'DESC' } as const;
    return tx.findOne(ShareLink, { where: { reportId }, order });
  }
}

/** The stored rows as the state that the rules know. */
function publicationOf(row: PublicationRow, newest: ShareLink | null): Publication {
  const { status, publishedAt } = row;
  const last =
    row.lastAnalysisRevision === null ? null : { analysisRevision: row.lastAnalysisRevision, contentRevision: row.lastContentRevision };
  if (status === 'absent' || status === 'discarded') return { status };
  if (status === 'held') {
    if (last) return { status, last };
  } else if (newest) {
    const { token, createdAt, expiresAt, revokedAt } = newest;
    const known = { version: Number(row.version), link: { token, createdAt, expiresAt, revokedAt } };
    if (status === 'unpublished') return { status, last, ...known };
    if (last && publishedAt) return { status, last, publishedAt, ...known };
  }
  throw new Error(`Publication ${row.reportId} is ${status} without what that needs`);
}
