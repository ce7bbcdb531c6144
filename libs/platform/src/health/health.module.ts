import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthRegistry } from './health.registry';
import { OperationsServer } from './operations.server';
import { Readiness } from './readiness';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  providers: [HealthRegistry, Readiness, OperationsServer],
  exports: [HealthRegistry, OperationsServer],
})
export class HealthModule {}
