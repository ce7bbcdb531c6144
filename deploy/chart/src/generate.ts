import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATS_USERS, natsUsersFile } from './nats-users';
import { CHART } from './paths';
import { readValueKeys } from './values-file';
import { valuesSchema } from './values-schema';
import { withTable } from './values-table';

/** `npm run generate:chart`: generates values.schema.json and the table in the README from values.yaml, and the users of NATS. */
const keys = readValueKeys();
writeFileSync(join(CHART, 'values.schema.json'), `${JSON.stringify(valuesSchema(keys), null, 1)}\n`);
writeFileSync(join(CHART, NATS_USERS), natsUsersFile());
const readme = join(CHART, 'README.md');
writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), keys));
