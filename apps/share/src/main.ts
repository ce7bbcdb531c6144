import '@tire/platform/register';
import { GRPC_SERVICES } from '@tire/contracts/grpc';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { configSchema } from './config';
import { answerBroken } from './page/page.controller';

void runService({
  name: 'share',
  config: configSchema,
  module: (config) => AppModule.forRoot(config),
  grpc: [GRPC_SERVICES.share],
  answerBroken,
});
