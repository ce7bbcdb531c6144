// The chart as it is published: a copy whose defaults name the registry and the digests of its images.
// node deploy/release/chart.mjs <registry> <repository> <folder> < lines of app=sha256:…
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

const APPS = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];
const [registry, repository, folder] = process.argv.slice(2);
if (!registry || !repository || !folder) throw new Error('usage: node deploy/release/chart.mjs <registry> <repository> <folder>');

const digests = Object.fromEntries(
  readFileSync(0, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, app, digest] = /^([a-z]+)=(sha256:[0-9a-f]{64})$/.exec(line) ?? [];
      if (!app) throw new Error(`no digest of an app: ${line}`);
      return [app, digest];
    }),
);
const missing = APPS.filter((app) => !digests[app]);
if (missing.length > 0) throw new Error(`no digest of ${missing.join(', ')}`);

cpSync(join(import.meta.dirname, '../../helm/tire-inspection'), folder, { recursive: true });
const file = join(folder, 'values.yaml');
const values = parseDocument(readFileSync(file, 'utf8'));
values.setIn(['image', 'ownRegistry'], registry);
values.setIn(['image', 'repository'], repository);
values.setIn(['image', 'digests'], digests);
writeFileSync(file, values.toString({ lineWidth: 0 }));
