import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePackages } from './packages';
import { site } from './site';

/** Writes the site into the folder, which it empties first. */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new Error('usage: build.js FOLDER');
  const files = site();
  await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  await writePackages(join(folder, 'packages'));
}

main(process.argv[2]).catch((error: Error) => {
  console.error(`The guide was not built: ${error.message}`);
  process.exitCode = 1;
});
