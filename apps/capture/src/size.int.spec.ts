import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SITE = join(__dirname, '../../../dist/apps/capture/site');
const BYTES_MAX = 120_000;
const NETWORK_BYTES_MAX = 3_500_000;
/** What the page loads once the camera runs, and works without. */
const OF_NETWORK = /\.(wasm|onnx)$|network-worker/;

/** As the gateway sends it: what the build did not compress is small. */
function sent(name: string): number {
  const compressed = join(SITE, `${name}.br`);
  return existsSync(compressed) ? statSync(compressed).size : gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length;
}

it('the whole page has 120 KB at most, compressed, and the network of the hints 3.5 MB beside it', () => {
  const names = ['index.html', 'worker.js', ...readdirSync(join(SITE, 'assets')).map((name) => `assets/${name}`)].filter(
    (name) => !name.endsWith('.br'),
  );
  const all = names.map((name) => ({ name, bytes: sent(name) }));
  const [sizes, network] = [all.filter(({ name }) => !OF_NETWORK.test(name)), all.filter(({ name }) => OF_NETWORK.test(name))];
  const networkBytes = network.reduce((total, { bytes }) => total + bytes, 0);
  process.stdout.write(`${network.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}: ${networkBytes} bytes of the network\n`);
  expect(network).toHaveLength(3);
  expect(networkBytes).toBeLessThan(NETWORK_BYTES_MAX);
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
  process.stdout.write(`${sizes.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}: ${sum} bytes compressed\n`);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sum).toBeLessThan(BYTES_MAX);
});
