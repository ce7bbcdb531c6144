import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FetchImage } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { Database, DatabaseModule, HealthRegistry } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { Consumers, EventingModule, Outbox, Publisher, type ConsumeOptions } from '..';
import { eventingMigration } from '../migration';

export const MIGRATIONS = [eventingMigration(1763600000000)];

export interface TestService {
  readonly app: INestApplicationContext;
  readonly database: Database;
  readonly consumers: Consumers;
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly health: HealthRegistry;
}

/** A service with these consumers and nothing else. */
export async function startService<T>(
  addresses: { natsUrl: string; databaseUrl: string; serviceName?: string; natsPassword?: string; streamReplicas?: number; edge?: boolean },
  ...consume: ConsumeOptions<T>[]
): Promise<TestService> {
  @Module({
    imports: [
      DatabaseModule.forRoot({
        url: addresses.databaseUrl,
        migrations: MIGRATIONS,
        poolSize: 4,
        applicationName: 'eventing',
        edge: addresses.edge ?? false,
      }),
      EventingModule.forRoot({ serviceName: 'eventing', ...addresses, outbox: true }),
    ],
  })
  class TestModule {}

  const app = await NestFactory.createApplicationContext(TestModule, { logger: false });
  for (const options of consume) app.get(Consumers).consume(options);
  await eventually(() => app.get(Database).dataSource.isInitialized);
  return {
    app,
    database: app.get(Database),
    consumers: app.get(Consumers),
    outbox: app.get(Outbox),
    publisher: app.get(Publisher),
    health: app.get(HealthRegistry),
  };
}

export const fetchImage = (assetId = newId()): FetchImage => ({
  projectId: newId(),
  reportId: newId(),
  slotId: 'tire.tread.front_left',
  assetId,
  url: 'https://example.com/tire.jpg',
  analysisId: newId(),
});
