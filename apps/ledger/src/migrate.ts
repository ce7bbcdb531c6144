import { runMigrateCommand } from '@tire/platform';
import { MIGRATIONS } from './migrations';

void runMigrateCommand({ name: 'ledger', migrations: MIGRATIONS });
