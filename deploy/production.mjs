// Copies the production files of one app into a folder: its built code, the libraries and packages that it loads, and nothing else.
// The last stage of the Dockerfile is a copy of that folder, and the tests start it: node deploy/production.mjs <app> <folder>.
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const [app, folder] = process.argv.slice(2);
const appDist = join(root, 'dist/apps', app ?? '', 'src');
if (!folder || !existsSync(appDist)) throw new Error('usage: node deploy/production.mjs <app> <folder>, after node deploy/build.mjs');

const REQUIRED = /(?:require(?:\.resolve)?|import)\(["']([^"']+)["']\)/g;
/** Loaded by a name in a string: the adapter and the parts that Nest loads, and the driver that TypeORM loads. */
const LOADED_BY_NAME = ['@nestjs/platform-fastify', '@nestjs/microservices'];

const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);
const packageOf = (name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
const entryPoints = (dir) =>
  readdirSync(dir, { recursive: true })
    .filter((name) => name.endsWith('.js') && !/(^|\/)testing\/|\.fixture\.js$/.test(name))
    .map((name) => join(dir, name));

/** Every file that the app's files load, and every package. */
function reached(files) {
  const seen = new Set();
  const packages = new Set(LOADED_BY_NAME);
  for (let file = files.pop(); file; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(REQUIRED)) {
      if (name.startsWith('.')) {
        const path = join(dirname(file), name);
        const found = [path, `${path}.js`, join(path, 'index.js')].find((candidate) => candidate.endsWith('.js') && existsSync(candidate));
        if (found) files.push(found);
      } else if (!isBuiltin(name)) packages.add(packageOf(name));
    }
  }
  return { files: [...seen], packages };
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The folder of a package that `from` requires, in the nearest node_modules above it. */
function located(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = at ? `${at}/node_modules/${name}` : `node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (!at) return undefined;
  }
}

function closure(names) {
  const paths = new Set();
  const wanted = names.map((name) => ({ name, from: '' }));
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const path = located(next.name, next.from);
    // A package of another platform or an optional peer is not installed.
    if (!path || paths.has(path) || !existsSync(join(root, path))) continue;
    paths.add(path);
    const { dependencies, optionalDependencies } = lock.packages[path];
    wanted.push(...Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ name, from: path })));
  }
  return [...paths].sort();
}

const { files, packages } = reached(entryPoints(appDist));
const direct = Object.entries(lock.packages[''].dependencies).filter(([name]) => packages.has(name));
const missing = [...packages].filter((name) => !direct.some(([known]) => known === name) && !LOADED_BY_NAME.includes(name));
const inTypes = new Set(Object.keys(lock.packages[''].devDependencies));
if (missing.some((name) => inTypes.has(name))) throw new Error(`${app} loads development dependencies: ${missing.join(', ')}`);

const into = (path) => join(folder, path);

/** Uses hard links if both are on one disk: 15,000 files then take a second and no space. */
function copyFile(from, to) {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes(error.code)) throw error;
    copyFileSync(from, to);
  }
}

function copy(path, isWanted = () => true) {
  const from = join(root, path);
  if (!statSync(from).isDirectory()) {
    mkdirSync(dirname(into(path)), { recursive: true });
    return copyFile(from, into(path));
  }
  mkdirSync(into(path), { recursive: true });
  for (const { name } of readdirSync(from, { withFileTypes: true })) if (isWanted(join(path, name))) copy(join(path, name), isWanted);
}

for (const file of files) {
  copy(relative(root, file));
  // --enable-source-maps needs it for stack traces.
  if (existsSync(`${file}.map`)) copy(relative(root, `${file}.map`));
}
copy('dist/proto');
/** The gateway serves the built sites of the console, of the capture page and of the guide. Node loads none of them as code. */
const SITES =
  app === 'gateway'
    ? { CONSOLE_ROOT: 'dist/apps/console/site', CAPTURE_ROOT: 'dist/apps/capture/site', GUIDE_ROOT: 'dist/deploy/guide/site' }
    : {};
/** The photographs of the sandbox, for the services that read them. */
const SANDBOX = 'dist/libs/contracts/assets/sandbox';
const readsSandbox = files.some((file) => file.endsWith('libs/contracts/src/sandbox/photographs.js'));
const extras = [`dist/apps/${app}/assets`, `apps/${app}/models`, ...Object.values(SITES), ...(readsSandbox ? [SANDBOX] : [])];
for (const extra of extras) if (existsSync(join(root, extra))) copy(extra);

/** Files for compilers and readers, and the libraries of onnxruntime for other platforms: 290 MB. */
const LEFT_OUT = /\.(d\.[cm]?ts|map|md|markdown)$|\/node_modules$/;
const forOthers = (path) => {
  const [, system, processor] = /\/bin\/napi-v\d+\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return (system && system !== platform()) || (processor && processor !== arch());
};
const paths = closure(direct.map(([name]) => name));
for (const path of paths) copy(path, (file) => !LEFT_OUT.test(file) && !forOthers(file));

const manifest = {
  name: `tire-${app}`,
  version: lock.version,
  private: true,
  license: 'Apache-2.0',
  dependencies: Object.fromEntries(direct),
};
const packagesOfLock = Object.fromEntries(paths.map((path) => [path, lock.packages[path]]));
mkdirSync(folder, { recursive: true });
writeFileSync(into('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(
  into('package-lock.json'),
  `${JSON.stringify({ ...lock, name: manifest.name, packages: { '': manifest, ...packagesOfLock } })}\n`,
);
const sites = Object.entries(SITES).map(([name, path]) => `process.env.${name} ??= require('node:path').join(__dirname, '${path}');\n`);
writeFileSync(into('main.js'), `${sites.join('')}require('./dist/apps/${app}/src/main.js');\n`);
console.log(`${app}: ${files.length} files of ours, ${paths.length} packages`);
