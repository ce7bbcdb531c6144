// Transpiles TypeScript to dist/, one file to one file, so that dist/ mirrors the tree and proto/ sits where it does in source.
// Only changed files are transpiled again, so that a second `npm start` takes no time here.
import { transform } from '@swc/core';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { moduleOptions } from './entry-points.cjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

const mtimeMs = async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
const isSource = (name) => name.endsWith('.ts') && !/\.(spec|conformance|d)\.ts$|(^|\/)testing\//.test(name);

async function sourceFiles(project) {
  const inFolder = async (folder) => {
    const entries = await readdir(join(root, project, folder), { recursive: true }).catch(() => []);
    return entries.filter(isSource).map((entry) => join(project, folder, entry));
  };
  return (await Promise.all(['src', 'bench'].map(inFolder))).flat();
}

async function allProjects() {
  const under = async (folder) => (await readdir(join(root, folder))).map((name) => join(folder, name));
  return [...(await under('apps')), ...(await under('libs')), 'deploy/local', 'deploy/chart', 'deploy/guide', 'deploy/cluster'];
}

/** Programs may run on dist/ while it is built again, and a copy removes its target first. So what has not changed is not copied. */
async function hasChanged(from, to) {
  const [source, target] = await Promise.all([stat(from), stat(to).catch(() => undefined)]);
  return source.isDirectory() || !target || target.size !== source.size || target.mtimeMs < source.mtimeMs;
}
const copyChanged = (from, to) => cp(from, to, { recursive: true, filter: hasChanged });

async function transpile(file) {
  const from = join(root, file);
  const to = join(dist, file.replace(/\.ts$/, '.js'));
  const settings = [join(root, '.swcrc'), join(root, 'deploy/entry-points.cjs')];
  const newest = Math.max(...(await Promise.all([from, ...settings].map(mtimeMs))));
  if ((await mtimeMs(to)) >= newest) return to;
  const source = await readFile(from, 'utf8');
  const { code, map } = await transform(source, { filename: from, cwd: root, module: moduleOptions(from, source) });
  await mkdir(dirname(to), { recursive: true });
  await writeFile(`${to}.map`, map ?? '');
  await writeFile(to, `${code}\n//# sourceMappingURL=${to.split('/').pop()}.map\n`);
  return to;
}

/** Removes files from dist/ whose source was deleted: a glob of migrations would still find them. */
async function removeStale(project, kept) {
  const folder = join(dist, project, 'src');
  const built = await readdir(folder, { recursive: true }).catch(() => []);
  const stale = built.filter((name) => name.endsWith('.js') && !kept.has(join(folder, name)));
  await Promise.all(stale.flatMap((name) => [rm(join(folder, name)), rm(join(folder, `${name}.map`), { force: true })]));
}

async function build(project) {
  const files = await sourceFiles(project);
  const kept = new Set(await Promise.all(files.map(transpile)));
  await removeStale(project, kept);
  const assets = join(root, project, 'assets');
  if ((await mtimeMs(assets)) > 0) await copyChanged(assets, join(dist, project, 'assets'));
  // The gateway serves the renderer of /docs itself: only its bundle for browsers goes into the build, and none of its packages.
  if (project === 'apps/gateway')
    for (const file of ['redoc.standalone.js', 'redoc.standalone.js.LICENSE.txt'])
      await copyChanged(join(root, 'node_modules/redoc/bundles', file), join(dist, project, 'assets', file));
}

const SITES = ['apps/console', 'apps/capture'];
/** Files of the libraries that the sites contain. */
const FILES_OF_SITES = [
  ...['browser-name', 'clock', 'depths', 'image-hash', 'orientation', 'retake', 'signs', 'slots', 'standing', 'time-zones'].map(
    (name) => `libs/kernel/src/${name}.ts`,
  ),
  'libs/contracts/src/limits/index.ts',
];

/** Vite bundles a site. It takes seconds, so it runs only if a source file has changed. */
async function buildSite(project) {
  const sources = (await readdir(join(root, project, 'web'), { recursive: true })).map((name) => join(root, project, 'web', name));
  const others = [join(project, 'vite.config.mts'), ...FILES_OF_SITES, 'package-lock.json'].map((path) => join(root, path));
  const made = [...sources, ...others];
  const newest = Math.max(...(await Promise.all(made.map(mtimeMs))));
  if ((await mtimeMs(join(dist, project, 'site/index.html'))) >= newest) return;
  // Also when tests build it: their NODE_ENV would give a development build, which writes to the console of the browser.
  process.env['NODE_ENV'] = 'production';
  const vite = await import('vite');
  await vite.build({ configFile: join(root, project, 'vite.config.mts') });
}

/** The console and the guide show these files. */
const SIGNATURES = 'apps/console/web/pages/developers/signatures';

/** The site of /docs, with the packages of the clients. Its program is built before, and reads the libraries in dist/, which a build of this project alone expects. */
async function buildGuide(project) {
  const under = async (folder) => (await readdir(join(root, folder), { recursive: true })).map((name) => join(root, folder, name));
  const single = ['typescript/README.md', 'typescript/package.json', 'typescript/build.mjs', 'python/README.md', 'python/pyproject.toml'];
  // Python leaves its own files beside the sources.
  const python = (await under('clients/python/src')).filter((path) => path.endsWith('.py'));
  const packaged = [...single.map((path) => join(root, 'clients', path)), ...(await under('clients/typescript/src')), ...python];
  const program = await under(join('dist', project, 'src'));
  const libraries = ['kernel/src/errors.js', 'contracts/src/limits/index.js', 'contracts/src/operations/index.js'];
  const sources = [
    ...(await under('docs/guide')),
    ...(await under(SIGNATURES)),
    ...packaged,
    ...program,
    ...libraries.map((path) => join(dist, 'libs', path)),
  ];
  const newest = Math.max(...(await Promise.all(sources.map(mtimeMs))));
  const site = join(dist, project, 'site');
  if ((await mtimeMs(join(site, 'index.html'))) >= newest) return;
  await promisify(execFile)(process.execPath, [join(dist, project, 'src/build.js'), site]);
}

const projects = process.argv.length > 2 ? process.argv.slice(2) : await allProjects();
for (const project of projects) await build(project);
for (const site of SITES) if (projects.includes(site)) await buildSite(site);
if (projects.includes('deploy/guide')) await buildGuide('deploy/guide');
await copyChanged(join(root, 'proto'), join(dist, 'proto'));
