import AdmZip from 'adm-zip';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from './paths';

const CLIENT = join(REPOSITORY_ROOT, 'clients/python');

/** A value of the table [project], which has one line for each key. */
export function valueOf(pyproject: string, key: string): string {
  const [, value] = new RegExp(`^${key} = (.+)$`, 'm').exec(/^\[project\]\n(.*?)\n\[/ms.exec(pyproject)?.[1] ?? '') ?? [];
  if (value === undefined) throw new Error(`pyproject.toml has no project.${key}`);
  return value.replaceAll(/^"|"$/g, '');
}

const pyproject = readFileSync(join(CLIENT, 'pyproject.toml'), 'utf8');
const version = valueOf(pyproject, 'version');
/** Names of files have underscores. */
const name = valueOf(pyproject, 'name').replaceAll('-', '_');
const INFO = `${name}-${version}.dist-info`;

export const WHEEL = `${name}-${version}-py3-none-any.whl`;

function metadata(): string {
  const requirements = JSON.parse(valueOf(pyproject, 'dependencies')) as string[];
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${valueOf(pyproject, 'name')}`,
    `Version: ${version}`,
    `Summary: ${valueOf(pyproject, 'description')}`,
    'License: Apache-2.0',
    `Requires-Python: ${valueOf(pyproject, 'requires-python')}`,
    ...requirements.map((requirement) => `Requires-Dist: ${requirement}`),
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${readFileSync(join(CLIENT, 'README.md'), 'utf8')}`;
}

const recorded = (path: string, bytes: Buffer): string =>
  `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}\n`;

/**
 * The Python client as a wheel, which pip installs without a build. It has only Python files, so that a wheel is an archive of them with a
 * list; the tool that makes the published one is on PyPI, which builds do not reach.
 */
export function wheel(): Buffer {
  const source = join(CLIENT, 'src', name);
  const modules = readdirSync(source).filter((file) => /\.py$|^py\.typed$/.test(file));
  const files = new Map<string, Buffer>([
    ...modules.toSorted().map((file) => [`${name}/${file}`, readFileSync(join(source, file))] as const),
    [`${INFO}/METADATA`, Buffer.from(metadata())],
    [`${INFO}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: tire-guide\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
    [`${INFO}/licenses/LICENSE`, readFileSync(join(REPOSITORY_ROOT, 'LICENSE'))],
  ]);
  const record = `${[...files].map(([path, bytes]) => recorded(path, bytes)).join('')}${INFO}/RECORD,,\n`;
  const archive = new AdmZip();
  for (const [path, bytes] of [...files, [`${INFO}/RECORD`, Buffer.from(record)] as const]) archive.addFile(path, bytes);
  return archive.toBuffer();
}
