import { runMigrateCommand } from '@tire/platform';
import { MIGRATIONS } from './migrations';

void runMigrateCommand({ name: 'assets', migrations: MIGRATIONS });
