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
const { status } = spawnSync(process.execPath, [tsc, '-p', join(source, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
for (const file of [join(source, 'package.json'), join(source, 'README.md'), join(root, 'LICENSE')])
  cpSync(file, join(folder, basename(file)));
