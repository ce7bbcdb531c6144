import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The public JavaScript key with which a project shares links in KakaoTalk. */
export class KakaoKey1765300000000 implements MigrationInterface {
  name = 'KakaoKey1765300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE projects ADD COLUMN kakao_key text CHECK (kakao_key <> '')");
    await grantRuntime(queryRunner, 'projects', 'UPDATE (kakao_key)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects DROP COLUMN kakao_key');
  }
}
