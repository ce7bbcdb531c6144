import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SITE = join(__dirname, '../../../dist/apps/capture/site');
const BYTES_MAX = 120_000;

it('the whole page has 120 KB at most, compressed', () => {
  const sizes = ['index.html', 'worker.js', ...readdirSync(join(SITE, 'assets')).map((name) => `assets/${name}`)].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length,
  }));
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
  process.stdout.write(`${sizes.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}: ${sum} bytes compressed\n`);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sum).toBeLessThan(BYTES_MAX);
});
