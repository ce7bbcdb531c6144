export { createTestDatabase, type MigrationClass, type TestDatabase } from './database';
export { eventually } from './eventually';
export { startNats, startNatsServer, type NatsServer, type TestNats } from './nats';
export { ensureNatsBinary } from './nats-binary';
export { startPostgres, type Postgres, type PostgresOptions } from './postgres';
export { freePort, tempDir } from './scratch';
export { testCa, type TestCa } from './test-ca';
export { testClock, type TestClock } from './test-clock';
export { spawnTypeScript } from './typescript-process';
