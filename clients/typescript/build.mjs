// Compiles the package to dist/, and takes the license of the repository with it. `npm pack` calls it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const root = join(folder, '../..');
rmSync(join(folder, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', join(folder, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
