import { spawnSync } from 'node:child_process';

const WAYS = [
  ['unshare', '--net'],
  ['unshare', '--user', '--map-root-user', '--net'],
];

/**
 * The command that runs another one in a network without any route, for tests of what must never reach the Internet. Undefined where the
 * system allows none: such tests are skipped with a message.
 */
export const emptyNetwork: readonly string[] | undefined = WAYS.find(
  ([command, ...args]) => spawnSync(command!, [...args, 'true']).status === 0,
);

if (!emptyNetwork)
  process.stderr.write('No empty network: the tests that need one are skipped (they need unshare, and Linux that allows it)\n');
