import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The path of a program, or undefined if it is not installed. Debian puts servers in /usr/sbin, which is not on every user's PATH. */
export async function findExecutable(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/local/bin', '/usr/sbin'];
  for (const folder of folders) if (await isExecutable(join(folder, name))) return join(folder, name);
  return undefined;
}
