// Runs a TypeScript file without a build: `node typescript-hook.cjs src/evaluate.ts ...`, also as a worker thread in tests.
// Transpiled files are kept in .local/cache: a suite starts such processes dozens of times.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const root = join(__dirname, '..');
const configFile = join(root, '.swcrc');
const { moduleOptions } = require('./entry-points.cjs');
const folder = join(root, '.local/cache/typescript');
const settings =
  readFileSync(configFile, 'utf8') + readFileSync(join(__dirname, 'entry-points.cjs'), 'utf8') + require('@swc/core/package.json').version;

function transpiled(file) {
  const source = readFileSync(file, 'utf8');
  const path = join(folder, `${createHash('sha256').update([settings, file, source].join('\0')).digest('hex')}.js`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, {
      filename: file,
      cwd: root,
      root,
      configFile,
      sourceMaps: 'inline',
      module: moduleOptions(file, source),
    });
    mkdirSync(folder, { recursive: true });
    // Another process may do the same: a file appears with its whole text or not at all.
    const unfinished = `${path}.${process.pid}.${Math.random()}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, path);
    return code;
  }
}

require.extensions['.ts'] = (module, file) => module._compile(transpiled(file), file);

process.argv.splice(1, 1);
require(resolve(process.argv[1]));
