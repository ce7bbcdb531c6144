import '../register';
import {
  Body,
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Module,
  Post,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { type contentApi, GRPC_SERVICES } from '@tire/contracts/grpc';
import { z } from 'zod';
import { callerConfig, grpcAddress, grpcConfig, serviceConfig } from '../config/shapes';
import { grpcClient, type PromiseClient } from '../grpc/client';
import { callSigner } from '../grpc/identity';
import { HealthRegistry } from '../health/health.registry';
import { logger } from '../logs/logger';
import { requestContext } from '../request-context';
import { runService } from './run-service';
import { traceHeaders } from '../telemetry/trace';

const log = logger('fixture');
const config = z.object({
  ...serviceConfig,
  ...callerConfig,
  ...grpcConfig,
  REQUIRED_ONE: z.string(),
  REQUIRED_TWO: z.url(),
  /** The process that `/hop` calls. Itself by default. */
  OTHER_GRPC_URL: grpcAddress().optional(),
});
const SELF = Symbol('SELF');
const ids = (contentRevision: string) => ({
  projectId: '00000000-0000-7000-8000-00000000000a',
  reportId: '00000000-0000-7000-8000-00000000000b',
  contentRevision,
});

/** A complete service in its own process, to which a test can send signals. */
@Controller()
class FixtureController implements OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly health: HealthRegistry,
    @Inject(SELF) private readonly self: PromiseClient<contentApi.ContentServiceClient>,
  ) {}

  @Get('until-draining')
  async untilDraining(): Promise<string> {
    log.info('request begun');
    while (await this.health.isReady()) await new Promise(setImmediate);
    return 'finished';
  }

  @Get('grpc-until-draining')
  async grpcUntilDraining(): Promise<string> {
    return (await this.self.getContentRevision(ids('wait'), { deadlineMs: 20_000 })).contentJson.toString();
  }

  @Get('print')
  print(): string {
    console.warn('printed by a %s\nof two lines', 'library');
    return 'printed';
  }

  @Get('hop')
  async hop(): Promise<unknown> {
    log.info('hop');
    const { contentJson } = await this.self.getContentRevision(ids('trace'));
    return { here: traceHeaders(), there: JSON.parse(contentJson.toString()) as unknown };
  }

  @Post('size')
  size(@Body() body: unknown): number {
    return JSON.stringify(body).length;
  }

  @Get('reject')
  reject(): string {
    void Promise.reject(new Error('nobody waits for this'));
    return 'rejected';
  }

  @Get('hang')
  hang(): Promise<never> {
    log.info('request begun');
    return new Promise(() => undefined);
  }

  @GrpcMethod('ContentService', 'GetContentRevision')
  async getContentRevision({ contentRevision }: contentApi.GetContentRevisionRequest): Promise<contentApi.GetContentRevisionResponse> {
    log.info('asked');
    const text =
      contentRevision === 'wait'
        ? await this.untilDraining()
        : JSON.stringify({ ...traceHeaders(), requestId: requestContext.getStore()?.requestId });
    return { contentJson: Buffer.from(text), etag: '', locales: [] };
  }

  onModuleDestroy(): void {
    log.info('no new work');
  }

  onApplicationShutdown(): void {
    log.info('connections closed');
  }
}

@Module({})
class FixtureModule {
  static forRoot(values: z.infer<typeof config>): DynamicModule {
    const signer = callSigner('gateway', values);
    const useFactory = () =>
      grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, values.OTHER_GRPC_URL ?? `127.0.0.1:${values.GRPC_PORT}`, {
        signer,
      });
    return { module: FixtureModule, controllers: [FixtureController], providers: [{ provide: SELF, useFactory }] };
  }
}

void runService({ name: 'fixture', config, module: (values) => FixtureModule.forRoot(values), grpc: [GRPC_SERVICES.content] });
