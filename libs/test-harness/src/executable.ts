import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Its path, or undefined where it is not installed. Debian puts servers in /usr/sbin, which an ordinary user's PATH lacks. */
export async function findExecutable(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/local/bin', '/usr/sbin'];
  for (const folder of folders) if (await isExecutable(join(folder, name))) return join(folder, name);
  return undefined;
}
