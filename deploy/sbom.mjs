// The SBOM of an image as CycloneDX: the packages from npm, libraries that an install script downloaded (with checksums), and the base
// image. node deploy/sbom.mjs <production folder> <base image>, which writes sbom.cdx.json.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [folder, image] = process.argv.slice(2);
const digest = /^(.+)@sha256:([0-9a-f]{64})$/.exec(image ?? '');
if (!digest) throw new Error('usage: node deploy/sbom.mjs <production folder> <base image with its digest>');

const npm = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
const sbom = JSON.parse(execFileSync('npm', npm, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
const sha256 = (content) => [{ alg: 'SHA-256', content }];

const native = readdirSync(join(folder, 'node_modules'), { recursive: true }).filter((name) => /\.(so(\.\d+)*|node)$/.test(name));
const files = native.map((name) => ({
  type: 'file',
  name: basename(name),
  hashes: sha256(
    createHash('sha256')
      .update(readFileSync(join(folder, 'node_modules', name)))
      .digest('hex'),
  ),
  properties: [{ name: 'path', value: `node_modules/${name}` }],
}));
const base = { type: 'container', name: digest[1], hashes: sha256(digest[2]) };
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify({ ...sbom, components: [...sbom.components, ...files, base] })}\n`);
console.log(`${sbom.components.length} packages, ${files.length} native files and the base image`);
