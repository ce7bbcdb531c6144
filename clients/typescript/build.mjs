// Makes the folder of the package: `node build.mjs FOLDER && npm pack FOLDER`. Without a folder it is dist/clients/typescript of the
// repository. Not a script of the package, because npm runs none here (ignore-scripts in .npmrc).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const source = import.meta.dirname;
const root = join(source, '../..');
const folder = resolve(process.argv[2] ?? join(root, 'dist/clients/typescript'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
// The command line is for Node; everything else must compile without its types.
for (const config of ['tsconfig.build.json', 'tsconfig.cli.json']) {
  const args = [tsc, '-p', join(source, config), '--outDir', join(folder, 'dist')];
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
for (const file of [join(source, 'package.json'), join(source, 'README.md'), join(root, 'LICENSE')])
  cpSync(file, join(folder, basename(file)));
