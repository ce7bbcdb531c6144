import { join, resolve } from 'node:path';

/** Runs the migrations of a service and then the service. One process does both, because loading the modules takes most of the time. */
const folder = resolve(process.argv[2]!);

process.once('beforeExit', () => {
  if (!process.exitCode) void import(join(folder, 'main'));
});
void import(resolve('libs/platform/src/register')).then(() => import(join(folder, 'migrate')));
