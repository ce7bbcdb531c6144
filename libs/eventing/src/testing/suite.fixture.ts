import { createTestDatabase, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { Client } from 'pg';
import type { ConsumeOptions } from '..';
import { MIGRATIONS, startService, type TestService } from './service.fixture';

/** A database and a broker for one test, and the services and connections that the test opened. */
export class Suite {
  private readonly services: TestService[] = [];
  private readonly connections: NatsConnection[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly nats: TestNats,
    readonly sql: Client,
  ) {}

  static async start(): Promise<Suite> {
    const [database, nats] = await Promise.all([createTestDatabase({ name: 'eventing', migrations: MIGRATIONS }), startNats()]);
    const sql = new Client({ connectionString: database.ownerUrl });
    await sql.connect();
    return new Suite(database, nats, sql);
  }

  get addresses() {
    return { natsUrl: this.nats.url, databaseUrl: this.database.url };
  }

  async service<T>(...consume: ConsumeOptions<T>[]): Promise<TestService> {
    const service = await startService(this.addresses, ...consume);
    this.services.push(service);
    return service;
  }

  async connect(): Promise<NatsConnection> {
    const connection = await connect({ servers: this.nats.url });
    this.connections.push(connection);
    return connection;
  }

  async manager(): Promise<JetStreamManager> {
    return (await this.connect()).jetstreamManager();
  }

  async count(table: 'outbox' | 'dead_letters'): Promise<number> {
    const { rows } = await this.sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    return rows[0]!.count;
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map(({ app }) => app.close()));
    await Promise.all(this.connections.map((connection) => connection.close()));
    await this.sql.end();
    await this.nats.stop();
    await this.database.drop();
  }
}
