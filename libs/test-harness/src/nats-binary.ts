import { ensureDebianBinary } from './debian-binary';

/** The path of nats-server, 2.9 or newer. */
export const ensureNatsBinary = (cacheDir: string): Promise<string> =>
  ensureDebianBinary({ package: 'nats-server', path: 'usr/sbin/nats-server' }, cacheDir);
