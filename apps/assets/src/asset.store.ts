import { Injectable } from '@nestjs/common';
import { Database } from '@tire/platform';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import type { ImageFormat } from './domain/image-content';
import type { AssetIdentity } from './domain/object-key';

/** One image whose bytes were verified and are kept. Rows never change: other bytes are another asset. */
@Entity('assets')
export class AssetRow {
  @PrimaryColumn('uuid', { name: 'asset_id' }) assetId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('uuid', { name: 'report_id' }) reportId: string;
  @Column('text', { name: 'slot_id' }) slotId: string;
  @Column('text', { name: 'object_key' }) objectKey: string;
  @Column('text') format: ImageFormat;
  @Column('bytea') sha256: Buffer;
  @Column('integer', { name: 'size_bytes' }) sizeBytes: number;
  @Column('integer', { name: 'width_px' }) widthPx: number;
  @Column('integer', { name: 'height_px' }) heightPx: number;
  @Column('timestamptz', { name: 'stored_at' }) storedAt: Date;
}

@Injectable()
export class AssetStore {
  constructor(private readonly database: Database) {}

  find(projectId: string, assetId: string): Promise<AssetRow | null> {
    return this.database.withProject(projectId, (tx) => tx.findOneBy(AssetRow, { assetId }));
  }

  /** The asset as it was kept, when it was kept for this report and slot. */
  async findExactly({ projectId, ...rest }: AssetIdentity): Promise<AssetRow | null> {
    return this.database.withProject(projectId, (tx) => tx.findOneBy(AssetRow, rest));
  }

  /** The first one to verify an asset wins; whoever comes second finds it there. */
  async insert(tx: EntityManager, row: AssetRow): Promise<void> {
    await tx.createQueryBuilder().insert().into(AssetRow).values(row).orIgnore().execute();
  }
}
