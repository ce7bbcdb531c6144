import { Global, Module } from '@nestjs/common';
import { HealthRegistry } from './health.registry';
import { OperationsServer } from './operations.server';

@Global()
@Module({
  providers: [HealthRegistry, OperationsServer],
  exports: [HealthRegistry, OperationsServer],
})
export class HealthModule {}
