import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSizeTable, type ListedSize } from '../domain/sidewall/size-decoder';
import { clearnessOf, LEGIBLE, renderHardWheel } from './hard-sidewall';

jest.setTimeout(60_000);

let sizes: ListedSize[];
beforeAll(async () => {
  sizes = parseSizeTable(await readFile(join(__dirname, '../../models/sidewall/tire_sizes.csv'), 'utf8'));
});

it('draws the same wheel again for the same seed', async () => {
  const [one, again, other] = [await renderHardWheel(3, sizes), await renderHardWheel(3, sizes), await renderHardWheel(4, sizes)];
  expect(one.bytes.equals(again.bytes)).toBe(true);
  expect(one.bytes.equals(other.bytes)).toBe(false);
});

it('shows some of them clearly and others not at all; other letters than those that stand there are not clear', async () => {
  // Both looked at: 7000120 is read with ease, and nobody reads 7000021.
  const [clear, lost] = [await renderHardWheel(7_000_120, sizes), await renderHardWheel(7_000_021, sizes)];
  expect(await clearnessOf(clear)).toBeGreaterThan(0.95);
  expect(await clearnessOf(lost)).toBeLessThan(0.5);
  expect(await clearnessOf({ ...clear, text: [...clear.text].reverse().join('') })).toBeLessThan(LEGIBLE);
});
