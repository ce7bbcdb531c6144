import '@tire/platform/register';
import { GRPC_SERVICES } from '@tire/contracts';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { ledgerConfig } from './config';

void runService({ name: 'ledger', config: ledgerConfig, module: (config) => AppModule.for(config), grpc: [GRPC_SERVICES.ledger] });
