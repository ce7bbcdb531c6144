import { Controller, Get, HttpStatus, Res, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { isError } from '../is-error';
import { metricsText } from '../telemetry/metrics';
import { HealthRegistry, type HealthCheck } from './health.registry';

const CHECK_TIMEOUT_MS = 2_000;

async function within(check: HealthCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  await Promise.race([check(), late]).finally(() => clearTimeout(timer));
}

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly registry: HealthRegistry,
  ) {}

  @Get('health/live')
  async live(@Res() reply: FastifyReply): Promise<void> {
    const fault = await this.registry.assertAlive().then(
      () => undefined,
      (error: unknown) => (isError(error) ? error.message : String(error)),
    );
    if (fault === undefined) await reply.send({ status: 'ok' });
    else await reply.code(HttpStatus.SERVICE_UNAVAILABLE).send({ status: 'error', message: fault });
  }

  @Get('health/ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const indicators = this.registry.parts().map(
      ([name, check]) =>
        () =>
          this.indicate(name, check),
    );
    const informed = this.registry.information().map(([name, check]) => this.indicate(name, check));
    const [{ status, result }, ...information] = await Promise.all([this.outcome(indicators), ...informed]);
    await reply.code(status).send({ ...result, details: Object.assign({}, result.details, ...information) });
  }

  @Get('metrics')
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    await reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsText());
  }

  private outcome(indicators: HealthIndicatorFunction[]): Promise<{ status: HttpStatus; result: HealthCheckResult }> {
    return this.health.check(indicators).then(
      (result) => ({ status: HttpStatus.OK, result }),
      (error: unknown) => {
        if (!(error instanceof ServiceUnavailableException)) throw error;
        return { status: error.getStatus(), result: error.getResponse() as HealthCheckResult };
      },
    );
  }

  private async indicate(name: string, check: HealthCheck): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    return within(check).then(
      () => indicator.up(),
      (error: unknown) => indicator.down({ message: isError(error) ? error.message : String(error) }),
    );
  }
}
