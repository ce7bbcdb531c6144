import { runMigrateCommand } from '@tire/platform';
import { MIGRATIONS } from './migrations';

void runMigrateCommand({ name: 'gateway', migrations: MIGRATIONS });
