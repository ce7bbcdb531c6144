import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HealthModule } from '../health/health.module';
import { HealthRegistry } from '../health/health.registry';
import { DatabaseConnection } from './connection';
import { Database } from './database';
import { createDataSource } from './data-source';
import { postgresTls, watchCertificates } from '../telemetry/certificates';
import type { MigrationClass } from './schema-revision';

export interface DatabaseModuleOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  /** The migrations that the code needs. The service is not ready while one of them is not applied. */
  readonly migrations: readonly MigrationClass[];
  /**
   * True for a service that clients of the system reach: after its start it stays ready without the database and refuses with an error that
   * clients know. All its pods lose the database at the same time, and with none ready the client's connection would be refused.
   */
  readonly edge?: boolean;
}

const OPTIONS = Symbol('DatabaseModuleOptions');

@Injectable()
export class DatabaseLifecycle implements OnModuleInit, OnApplicationShutdown {
  private readonly connection: DatabaseConnection;

  constructor(
    database: Database,
    private readonly health: HealthRegistry,
    @Inject(OPTIONS) private readonly options: DatabaseModuleOptions,
  ) {
    this.connection = new DatabaseConnection(database.dataSource, options.migrations);
  }

  onModuleInit(): void {
    const check = () => this.connection.check();
    if (this.options.edge) {
      // A new pod with a wrong address or an old schema must not replace one that works.
      this.health.register('schema', () => this.connection.checkOnce());
      this.health.inform('database', check);
    } else this.health.register('database', check);
    this.connection.open();
    watchCertificates('postgres', postgresTls(this.options.url));
  }

  /** Runs after the servers and the consumers have stopped, because both use the database until then. */
  onApplicationShutdown(): Promise<void> {
    return this.connection.close();
  }
}

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [HealthModule],
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: Database, useFactory: () => new Database(createDataSource(options)) },
        DatabaseLifecycle,
      ],
      exports: [Database],
    };
  }
}
