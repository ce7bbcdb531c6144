import '@tire/platform/register';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { gatewayConfig } from './config';

void runService({ name: 'gateway', config: gatewayConfig, module: (config) => AppModule.for(config) });
