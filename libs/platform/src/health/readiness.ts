import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { isError } from '../is-error';
import { HealthRegistry, type HealthCheck } from './health.registry';

/** The state of all parts. Those that do not decide readiness are in `details` only. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly registry: HealthRegistry,
  ) {}

  async read(): Promise<HealthCheckResult> {
    const deciding = this.health.check(
      this.registry.parts().map(
        ([name, check]) =>
          () =>
            this.indicate(name, check),
      ),
    );
    const informational = this.registry.information().map(([name, check]) => this.indicate(name, check));
    const [result, ...information] = await Promise.all([deciding.catch(resultOf), ...informational]);
    return { ...result, details: Object.assign({}, result.details, ...information) };
  }

  private async indicate(name: string, check: HealthCheck): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    return check().then(
      () => indicator.up(),
      (error: unknown) => indicator.down({ message: isError(error) ? error.message : String(error) }),
    );
  }
}

function resultOf(error: unknown): HealthCheckResult {
  if (error instanceof ServiceUnavailableException) return error.getResponse() as HealthCheckResult;
  throw error;
}
