import { spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { HostilePdfs } from '../testing/hostile-pdfs.fixture';

/** `npm run test:long` changes 10,000. */
const CHANGED = Number(process.env['HOSTILE_IMAGES'] ?? 100);

function chartLimitMib(): number {
  const { defaults, services } = parse(readFileSync(join(__dirname, '../../../../helm/tire-inspection/values.yaml'), 'utf8')) as {
    defaults: { resources: { limits: { memory: string } } };
    services: { share: { resources?: { limits: { memory: string } } } };
  };
  const { memory } = (services.share.resources ?? defaults.resources).limits;
  return Number(/^(\d+)Mi$/.exec(memory)![1]);
}

/** Assets makes the derivatives, so that none is hostile. A store that holds something else must not cost more than the image. */
it('hostile images in place of derivatives cost their own place in the PDF only, and little memory', async () => {
  const fixture = spawnTypeScript(join(__dirname, '../testing/hostile-pdfs.fixture.ts'), [String(CHANGED)]);
  const told = once(fixture, 'message') as Promise<[HostilePdfs]>;
  const [code, signal] = (await once(fixture, 'exit')) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  const [{ images, embedded, failed, peakMib }] = await told;
  console.log(`${images} hostile images, ${embedded} of them begin like a derivative; ${peakMib.toFixed(0)} MiB at most`);
  expect(images).toBeGreaterThan(CHANGED);
  expect(embedded).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  expect(peakMib).toBeLessThan(chartLimitMib());
}, 3_600_000);
