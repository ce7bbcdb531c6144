import { readFileSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

export interface User {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root. It then runs as `nobody`, or as the first system user. Undefined: as the current user. */
export function serverUser(): User | undefined {
  if (userInfo().uid !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const user = users.find(({ name }) => name === 'nobody') ?? users[0];
  return user ? { uid: user.uid, gid: user.gid } : { uid: 65_534, gid: 65_534 };
}

/** Whether the user may enter every folder down to this one. A checkout under /root (mode 0700) is the usual exception. */
export function canEnter(folder: string, user: User | undefined): boolean {
  if (!user) return true;
  const { uid, gid, mode } = statSync(folder);
  const mask = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  const parent = dirname(folder);
  return (mode & mask) !== 0 && (parent === folder || canEnter(parent, user));
}

/** A folder for temporary files that the user can enter. */
export function scratchRoot(user: User | undefined): string {
  const candidates = [tmpdir(), '/var/tmp', '/tmp'];
  const found = candidates.find((folder) => canEnter(folder, user));
  if (!found) throw new Error(`None of ${candidates.join(', ')} can be entered by uid ${user?.uid}: set TMPDIR to one that can`);
  return found;
}

/** A path in the cache, separate for each user of the machine. */
export const cachePath = (root: string, name: string): string => join(root, `tire-${name}-${userInfo().uid}`);
