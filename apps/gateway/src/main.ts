import '@tire/platform/register';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { configSchema } from './config';

void runService({ name: 'gateway', config: configSchema, module: (config) => AppModule.forRoot(config) });
