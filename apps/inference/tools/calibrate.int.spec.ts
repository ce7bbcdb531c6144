import { POSITIONS } from '@tire/kernel';
import { spawnTypeScript, tempDir } from '@tire/test-harness';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { Manifest } from '../src/models/manifest';
import { drawnSamples } from '../src/testing/samples.fixture';

/** A gauge on a tire with another tread profile than the model was trained on. */
const gauge = (depthMm: number) => 1.5 * depthMm + 1;

describe('calibrating the tread model with a gauge', () => {
  let images: string;
  let models: string;

  beforeAll(async () => {
    [images, models] = [await tempDir(), await tempDir()];
    const rows = ['file,groove,depth_mm'];
    const samples = await drawnSamples();
    for (const [index, position] of POSITIONS.entries()) {
      const { file, truth } = samples.find('tread', position);
      const depthsMm = 'depthsMm' in truth ? truth.depthsMm : [];
      const bytes = await readFile(file);
      // Upright, rotated by EXIF and from farther away: the gauge reads the same order from left to right as each image is shown.
      const shown: [string, Sharp, readonly number[]][] = [
        ['plain', sharp(bytes), depthsMm],
        ['turned', sharp(bytes).withMetadata({ orientation: 3 }), [...depthsMm].reverse()],
        ['far', sharp(bytes).resize({ width: 900 }), depthsMm],
      ];
      // Nine photographs, one more than the command needs. Each way on two tires at least.
      for (const [name, image, across] of process.env['LONG_FORM'] || index === 0 ? shown : [shown[0]!, shown[1 + (index % 2)]!]) {
        await image.jpeg({ quality: 90 }).toFile(join(images, `${position}-${name}.jpg`));
        rows.push(...across.map((depthMm, groove) => `${position}-${name}.jpg,${groove + 1},${gauge(depthMm).toFixed(2)}`));
      }
    }
    await writeFile(join(images, 'gauge.csv'), rows.join('\n'));
    await cp(join(__dirname, '../models/tread'), join(models, 'tread'), { recursive: true });
  }, 240_000);

  async function command(name: string, ...args: string[]) {
    const child = spawnTypeScript(`./apps/inference/tools/${name}.ts`, args, {}, 'pipe');
    const [output, complaint, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
    return { output, complaint, code: code as number };
  }

  it('writes a version with a card, which measures what the gauge reads and which a worker loads', async () => {
    const fresh = join(models, 'tread-calibrated');
    const before = (await command('calibrate', images, fresh, '9.0.0', models)).output;
    expect(before).toMatch(/depth = \d\.\d+ × measured/);
    const manifest = Manifest.parse(JSON.parse(await readFile(join(fresh, 'manifest.json'), 'utf8')));
    expect(manifest.version).toBe('9.0.0');
    expect(manifest.measured_accuracy.at(-1)?.on).toMatch(/^\d+ photographs with a depth gauge/);
    expect(await readFile(join(fresh, 'README.md'), 'utf8')).toContain('## Calibrated: 9.0.0');
    // The new version is loaded, so its golden image, files and thresholds are valid; it is the highest version.
    const after = (await command('evaluate', images, models)).output;
    const errorIn = (report: string) => Number(/mean absolute error, mm \| ([\d.]+)/.exec(report)![1]);
    expect(errorIn(after)).toBeLessThan(errorIn(before) / 2);
  }, 240_000);

  it('writes nothing for a version that is not higher, or where a line does not help', async () => {
    const refused = await command('calibrate', images, join(models, 'x'), '9.0.0', models);
    expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining('9.0.0 is not above')]);
    const again = await command('calibrate', images, join(models, 'twice'), '9.1.0', models);
    expect([again.code, again.complaint]).toEqual([1, expect.stringContaining('does not reduce the error')]);
    for (const folder of ['x', 'twice']) expect(existsSync(join(models, folder))).toBe(false);
  }, 240_000);
});
