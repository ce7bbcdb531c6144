import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from '@grpc/grpc-js';
import type { GrpcService } from '@tire/contracts/grpc';
import { format } from 'node:util';
import type { z } from 'zod';
import { ConfigError, parseEnvironment } from '../config/environment';
import { CallerSettings, tellSettings } from '../config/settings';
import type { GrpcConfig, ServiceConfig } from '../config/shapes';
import type { CallGuard } from '../grpc/authorize';
import { CallVerifier, readPublicKeys } from '../grpc/identity';
import { grpcServerOptions } from '../grpc/server';
import { GrpcHealth } from '../health/grpc-health';
import { HealthModule } from '../health/health.module';
import { HealthRegistry } from '../health/health.registry';
import { OperationsServer } from '../health/operations.server';
import { type AnswerBroken, createHttpAdapter } from '../http/adapter';
import { ErrorFilter } from './error-filter';
import { logger } from '../logs/logger';
import { NestLogger } from '../logs/nest-logger';
import { drainOnSignal } from './drain';

type RunnableConfig = Pick<ServiceConfig, 'HTTP_HOST' | 'HTTP_PORT'> &
  Partial<Pick<ServiceConfig, 'OPERATIONS_PORT' | 'LOG_REQUESTS'>> &
  Partial<GrpcConfig>;

export interface ServiceOptions<C> {
  readonly name: string;
  readonly module: (config: C) => Type | DynamicModule;
  /** Services beside grpc.health.v1. An empty list serves health alone; without the list there is no gRPC server. */
  readonly grpc?: readonly GrpcService[];
  readonly bodyLimitBytes?: number;
  readonly answerBroken?: AnswerBroken;
  /** Set-up of the application before it listens. */
  readonly prepare?: (app: NestFastifyApplication) => void | Promise<void>;
}

export type RunServiceOptions<S extends z.ZodType> = ServiceOptions<z.infer<S>> & { readonly config: S };

/** A call that is still open then is a stream without an end, such as a health watch. */
const GRPC_GRACE_MS = 20_000;

class ServiceRoot {}

/** A configuration without GRPC_AUTH is none of an environment: a test serves anyone. */
function guardOf({ GRPC_AUTH, SERVICE_PUBLIC_KEYS = '' }: RunnableConfig, services: readonly GrpcService[]): CallGuard | undefined {
  if (GRPC_AUTH === undefined || services.length === 0) return undefined;
  const keys = readPublicKeys(SERVICE_PUBLIC_KEYS) ?? [];
  const required = GRPC_AUTH === 'required';
  if (required && keys.length === 0) {
    throw new ConfigError([{ variable: 'SERVICE_PUBLIC_KEYS', fault: 'required unless GRPC_AUTH is accepted' }]);
  }
  return { verifier: new CallVerifier(keys), required, settings: new CallerSettings() };
}

function serveGrpc(app: NestFastifyApplication, config: RunnableConfig, services: readonly GrpcService[]): void {
  const health = new GrpcHealth(
    app.get(HealthRegistry),
    services.map((service) => `${service.package}.${service.service}`),
  );
  const onServer = (server: Server): void => {
    health.addTo(server);
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onClose', async () => {
        health.stop();
        setTimeout(() => server.forceShutdown(), GRPC_GRACE_MS).unref();
      });
  };
  const { GRPC_HOST: host = '0.0.0.0', GRPC_PORT: port = 50_051 } = config;
  app.connectMicroservice(grpcServerOptions({ services, host, port, onServer, guard: guardOf(config, services) }), {
    inheritAppConfig: true,
  });
}

/** Listens at once, with or without its dependencies. Health reports what is missing; without OPERATIONS_PORT it is not served. */
export async function startService<C extends RunnableConfig>(options: ServiceOptions<C>, config: C): Promise<NestFastifyApplication> {
  const root: DynamicModule = { module: ServiceRoot, imports: [HealthModule, options.module(config)] };
  const app = await NestFactory.create<NestFastifyApplication>(
    root,
    createHttpAdapter({ ...options, logRequests: config.LOG_REQUESTS ?? false }),
    {
      logger: new NestLogger(),
      abortOnError: false,
      forceCloseConnections: false,
    },
  );
  app.useGlobalFilters(new ErrorFilter());
  await options.prepare?.(app);
  if (options.grpc) {
    serveGrpc(app, config, options.grpc);
    await app.startAllMicroservices();
  }
  await app.listen(config.HTTP_PORT, config.HTTP_HOST);
  if (config.OPERATIONS_PORT !== undefined) await app.get(OperationsServer).listen(config.OPERATIONS_PORT, config.HTTP_HOST);
  return app;
}

function endOnFatalErrors(name: string): void {
  const log = logger(name);
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'An error was not handled; the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** What a library prints becomes a line of the log: the client of S3 prints each repetition of a request. */
function logPrinted(name: string): void {
  const log = logger(name);
  const levels = { log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;
  for (const method of Object.keys(levels) as (keyof typeof levels)[])
    console[method] = (...values: unknown[]) => log[levels[method]](format(...values));
}

/** The whole main.ts of a service, except telemetry, which must be imported first. */
export async function runService<S extends z.ZodType<RunnableConfig & Partial<ServiceConfig>>>(
  options: RunServiceOptions<S>,
): Promise<NestFastifyApplication> {
  const log = logger(options.name);
  endOnFatalErrors(options.name);
  logPrinted(options.name);
  try {
    const config: z.infer<S> = parseEnvironment(options.config);
    tellSettings(options.name, options.config);
    const app = await startService<z.infer<S>>(options, config);
    drainOnSignal(app, { name: options.name, delayMs: config.DRAIN_DELAY_MS ?? 0 });
    log.info(
      { http: config.HTTP_PORT, operations: config.OPERATIONS_PORT, ...(options.grpc ? { grpc: config.GRPC_PORT } : {}) },
      'Listening',
    );
    return app;
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(error.message);
    else log.fatal({ err: error }, 'The service cannot start');
    process.exit(1);
  }
}
