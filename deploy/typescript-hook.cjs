// Runs a TypeScript file without a build: `node typescript-hook.cjs src/evaluate.ts ...`, also as a worker thread in tests.
const { transformFileSync } = require('@swc/core');
const { join, resolve } = require('node:path');

const root = join(__dirname, '..');

require.extensions['.ts'] = (module, file) => {
  const { code } = transformFileSync(file, { cwd: root, root, configFile: join(root, '.swcrc'), sourceMaps: 'inline' });
  module._compile(code, file);
};

process.argv.splice(1, 1);
require(resolve(process.argv[1]));
