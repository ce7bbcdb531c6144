import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database, HealthModule, HealthRegistry } from '@tire/platform';
import { Attempts } from './attempts';
import { Broker, type BrokerOptions } from './broker';
import { Consumers } from './consumers';
import { DeadLetters } from './dead-letters';
import { Outbox } from './outbox';
import { Publisher } from './publisher';
import { Relay } from './relay';
import { WorkQueues } from './work-queues';

export interface EventingOptions extends BrokerOptions {
  /** True for a service with a database that holds the tables of this library. */
  readonly outbox: boolean;
}

/** Undefined in a service without an outbox. */
const RELAY = Symbol('Relay');

/** Starts after all modules have started. Stops in the order that loses nothing: consumers, relay, connection. */
class EventingLifecycle implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  constructor(
    @Inject(Broker) private readonly broker: Broker,
    @Inject(Consumers) private readonly consumers: Consumers,
    @Inject(HealthRegistry) private readonly health: HealthRegistry,
    @Inject(RELAY) private readonly relay: Relay | undefined,
  ) {}

  onApplicationBootstrap(): void {
    const connected = async (): Promise<void> => {
      if (!this.broker.connection) throw new Error('NATS is not connected');
    };
    // A service with an outbox works without NATS too. If a lost broker made it unready, no pod would answer requests.
    if (this.relay) this.health.inform('nats', connected);
    else this.health.register('nats', connected);
    this.broker.start();
    this.consumers.start();
    this.relay?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.relay?.stop();
    await this.broker.close();
  }
}

/** True when the database is connected and has the schema that the code needs. Always true for a service without a database. */
const databaseReady = (health: HealthRegistry): Promise<boolean> => {
  const check = health.checkOf('database');
  return check
    ? check().then(
        () => true,
        () => false,
      )
    : Promise.resolve(true);
};

@Module({})
export class EventingModule {
  static forRoot(options: EventingOptions): DynamicModule {
    const database = options.outbox ? [Database] : [];
    const outbox = options.outbox
      ? [
          {
            provide: Relay,
            useFactory: (db: Database, broker: Broker, letters: DeadLetters) => new Relay(db, broker, letters),
            inject: [Database, Broker, DeadLetters],
          },
          { provide: RELAY, useExisting: Relay },
          Outbox,
          WorkQueues,
        ]
      : [{ provide: RELAY, useValue: undefined }];
    return {
      module: EventingModule,
      global: true,
      imports: [HealthModule],
      providers: [
        { provide: Broker, useFactory: () => new Broker(options) },
        { provide: DeadLetters, useFactory: (db?: Database) => new DeadLetters(db), inject: database },
        {
          provide: Consumers,
          useFactory: (broker: Broker, letters: DeadLetters, health: HealthRegistry) =>
            new Consumers(broker, letters, () => databaseReady(health)),
          inject: [Broker, DeadLetters, HealthRegistry],
        },
        Publisher,
        Attempts,
        ...outbox,
        EventingLifecycle,
      ],
      exports: [Attempts, Consumers, Publisher, ...(options.outbox ? [Outbox, WorkQueues] : [])],
    };
  }
}
