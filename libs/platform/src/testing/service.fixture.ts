import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually } from '@tire/test-harness';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OperationsServer } from '../health/operations.server';
import { startService } from '../service/run-service';
import { Database } from '../database/database';
import { DatabaseModule } from '../database/database.module';
import { projectTable } from '../database/row-level-security';
import type { MigrationClass } from '../database/schema-revision';

export class First1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE things (id uuid PRIMARY KEY, project_id uuid NOT NULL)');
    await projectTable(queryRunner, 'things', 'SELECT, INSERT');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE things');
  }
}

const apps: NestFastifyApplication[] = [];

/** A service that has a database and nothing else. */
export async function service(url: string, migrations: MigrationClass[], edge = false) {
  const database = DatabaseModule.forRoot({ url, poolSize: 2, applicationName: 'lifecycle', migrations, edge });
  const app = await startService(
    { name: 'lifecycle', module: () => database },
    { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0, OPERATIONS_PORT: 0 },
  );
  apps.push(app);
  const base = `http://127.0.0.1:${app.get(OperationsServer).port}`;
  const readiness = async () => {
    const answer = await fetch(`${base}/health/ready`);
    const { details } = (await answer.json()) as { details: Record<string, { message?: string }> };
    return { status: answer.status, message: details['database']?.message };
  };
  const until = (status: number, message?: RegExp) =>
    eventually(
      async () => {
        const now = await readiness();
        return now.status === status && (!message || message.test(now.message ?? '')) && now;
      },
      { message: `Never ${status} ${message ?? ''}` },
    );
  return { app, base, until, database: app.get(Database) };
}

/** Ends the services that a test started. */
export async function closeServices(): Promise<void> {
  for (const app of apps.splice(0)) await app.close();
}
