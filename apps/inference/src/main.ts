import '@tire/platform/register';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { configSchema } from './config';

void runService({
  name: 'inference',
  config: configSchema,
  module: (config) => AppModule.forRoot(config),
  // No service but grpc.health.v1, which the probes of the chart call.
  grpc: [],
});
