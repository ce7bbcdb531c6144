// node deploy/release/version.mjs v0.1.0: fails unless package.json and both versions of the chart are 0.1.0.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const tag = process.argv[2];
const chart = parse(readFileSync(join(root, 'helm/tire-inspection/Chart.yaml'), 'utf8'));
const versions = {
  'package.json': JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  'version of the chart': chart.version,
  'appVersion of the chart': chart.appVersion,
};
const wrong = Object.entries(versions).filter(([, version]) => `v${version}` !== tag);
for (const [what, version] of wrong) console.error(`${what} is ${version}, and the tag is ${tag}`);
process.exit(wrong.length);
