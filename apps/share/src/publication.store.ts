import { Injectable } from '@nestjs/common';
import type { ReportCreated } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { createHash } from 'node:crypto';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import type { Publication } from './domain/publication';

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

@Injectable()
export class PublicationStore {
  /** The row of the report, locked; made when there is none, so that two first messages wait for each other too. */
  async lock(tx: EntityManager, projectId: string, reportId: string): Promise<PublicationRow> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(PublicationRow)
      .values({ reportId, projectId, status: 'absent', version: '0' })
      .orIgnore()
      .execute();
    return tx.findOneOrFail(PublicationRow, { where: { reportId }, lock: { mode: 'pessimistic_write' } });
  }

  find(tx: EntityManager, reportId: string): Promise<PublicationRow | null> {
    return tx.findOneBy(PublicationRow, { reportId });
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

  async saveRegistration(tx: EntityManager, message: ReportCreated, expiresAt: Date): Promise<void> {
    const { projectId, reportId, callbackUrl, externalInspectionId, externalVehicleId } = message;
    await tx.update(
      PublicationRow,
      { reportId },
      {
        callbackUrl: callbackUrl ?? null,
        externalInspectionId: externalInspectionId ?? null,
        externalVehicleId: externalVehicleId ?? null,
      },
    );
    await tx.insert(ShareLink, {
      id: newId(),
      projectId,
      reportId,
      token: message.shareToken,
      tokenDigest: tokenDigest(message.shareToken),
      createdAt: new Date(message.createdAt),
      expiresAt,
      revokedAt: null,
    });
  }

  newestLink(tx: EntityManager, reportId: string): Promise<ShareLink | null> {
    return tx.findOne(ShareLink, { where: { reportId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  linkByDigest(tx: EntityManager, digest: Buffer): Promise<ShareLink | null> {
    return tx.findOneBy(ShareLink, { tokenDigest: digest });
  }
}

/** The stored row as the state that the rules know. */
export function publicationOf(row: PublicationRow): Publication {
  const version = Number(row.version);
  const last =
    row.lastAnalysisRevision === null ? null : { analysisRevision: row.lastAnalysisRevision, contentRevision: row.lastContentRevision };
  switch (row.status) {
    case 'absent':
      return { status: 'absent' };
    case 'unpublished':
      return { status: 'unpublished', version, last };
    case 'held':
    case 'published':
    case 'revoked':
      if (last === null) throw new Error(`Publication ${row.reportId} is ${row.status} without an analysis revision`);
      if (row.status === 'held') return { status: 'held', last };
      if (row.publishedAt === null) throw new Error(`Publication ${row.reportId} is ${row.status} without a time`);
      return { status: row.status, version, last, publishedAt: row.publishedAt };
  }
}
