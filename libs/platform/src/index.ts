export { hasDefault, SHARED_SETTINGS, unreadVariables } from './config/drift';
export { ConfigError, describeEnvironment, type EnvironmentRow, parseEnvironment } from './config/environment';
export {
  baseUrl,
  callerConfig,
  databaseConfig,
  grpcAddress,
  grpcConfig,
  loopbackOrigin,
  migrationConfig,
  natsConfig,
  outboundConfig,
  serviceConfig,
  type OutboundConfig,
} from './config/shapes';
export { afterCommit } from './database/after-commit';
export { createDataSource } from './database/data-source';
export { Database, turnDeadline } from './database/database';
export { prepared, type Tx } from './database/tx';
export { DatabaseModule, type DatabaseModuleOptions } from './database/database.module';
export { runAdminCommand } from './database/admin-command';
export { MADE_BY_ANOTHER_BUILD, migrate, runMigrateCommand } from './database/migrate-command';
export { recordedMigrations } from './database/recorded-migrations';
export { forbidChange, grantRuntime, projectTable } from './database/row-level-security';
export type { MigrationClass } from './database/schema-revision';
export { batched } from './grpc/batched';
export { type CallOptions, grpcClient, isUnknownCall, type PromiseClient } from './grpc/client';
export { ASSETS, CONTENT, grpcClients, LEDGER, SHARE } from './grpc/clients';
export { callSigner, publicKeyOf } from './grpc/identity';
export { GrpcErrorFilter } from './grpc/error-filter';
export { HealthModule } from './health/health.module';
export { type HealthCheck, HealthRegistry } from './health/health.registry';
export { OperationsServer } from './health/operations.server';
export { type ErrorAnswer, errorAnswer, type ErrorBody } from './http/envelope';
export { networkOf, readTrustedProxies, senderOf, trustedProxies, type TrustedProxies } from './http/client-address';
export { HttpErrorFilter } from './http/error-filter';
export { type Holder, Places } from './http/places';
export { readObject } from './http/read-object';
export { type Logger, logger } from './logs/logger';
export { NestLogger } from './logs/nest-logger';
export { type AddressVerdict, judgeAddress } from './outbound/addresses';
export { createOutbound, outboundFrom, type Outbound, type OutboundRequest, type OutboundResponse } from './outbound/outbound';
export { OutboundError, type OutboundReason } from './outbound/outbound-error';
export { isNeverPublic } from './outbound/target';
export { dueParams, dueRows, firstIdSql, IN_INDEX_ORDER, lagOf, readInIndexOrder, type EndingRows } from './retention/due-rows';
export { heldDiscarded, heldReports } from './retention/held-reports';
export { endingRows } from './retention/ending-rows';
export {
  type Cuts,
  cutsOf,
  endsNothing,
  retentionDays,
  RetentionRules,
  retentionTable,
  type RetentionDefaults,
} from './retention/retention-rules';
export { RetentionSweep, type Ending } from './retention/retention-sweep';
export { setActor, setSubject, currentActor, handlingMessage, onBehalfOf, type RequestContext, requestContext } from './request-context';
export { countLossesOf, WatchedChild, type ChildEnd } from './process/watched-child';
export { resealAll } from './sealing/reseal';
export { sealedColumn } from './sealing/sealed-column';
export { readSealingKeys, seal, sealingConfig, type SealingKeys, unseal } from './sealing/sealing';
export { periodicTask, RepeatedTask } from './service/repeated-task';
export { runService, type ServiceOptions, startService } from './service/run-service';
export { httpsTls, natsTls, watchCertificates } from './telemetry/certificates';
export { counter, durationHistogram, meter, observe } from './telemetry/metrics';
export { ATTRIBUTES, LOG_FIELDS, METRICS, SPANS } from './telemetry/names';
export { currentTraceId, traceHeaders, withRemoteTrace } from './telemetry/trace';
export { OUTBOUND, PUBLIC_API_URL } from './tokens';
