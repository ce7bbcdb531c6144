import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addRow, rowsIn, wheelLines, type WheelRow } from './wheel-rows';

const row = (over: Partial<WheelRow> = {}): WheelRow => ({
  ...{ version: '1.6.0', kind: 'usual', seed: 1, expected: '225/45R17', actual: '225/45R17', confidence: 0.99, withheld: null },
  ...{ guess: null, guessConfidence: null, legibility: 0.9, detections: 4, recognitions: 12, cpuMs: 800 },
  ...over,
});
const unread = row({ seed: 2, actual: null, confidence: null, legibility: 0.5, detections: 6, recognitions: 22, cpuMs: 1_200 });

const emptyFile = async () => join(await mkdtemp(join(tmpdir(), 'tire-rows-')), 'rows.jsonl');

it('continues an earlier run', async () => {
  const file = await emptyFile();
  expect(await rowsIn(file, row())).toEqual([]);
  await addRow(file, row());
  await addRow(file, unread);
  expect(await rowsIn(file, row())).toEqual([row(), unread]);
});

it.each([
  ['model', row({ version: '1.5.0' })],
  ['kind of wheels', row({ kind: 'small' })],
])('refuses rows of another %s', async (_, other) => {
  const file = await emptyFile();
  await addRow(file, row());
  await expect(rowsIn(file, other)).rejects.toThrow('usual, measured with 1.6.0');
});

it('refuses a line that is no row', async () => {
  const file = await emptyFile();
  await writeFile(file, '{"seed":1}\n');
  await expect(rowsIn(file, row())).rejects.toThrow('version');
});

it('has the figures of all wheels, of the legible ones, and what they cost', () => {
  expect(wheelLines([row(), unread])).toEqual([
    'exact 1 (50.0 %), wrong 0 (0.0 %), not read 1 of 2',
    '  of the legible: exact 1 (100.0 %), wrong 0 (0.0 %), not read 0 of 1',
    '  withheld because of another size on the wheel: 0, of them right 0',
    '  read 1: 4.0 detections, 12.0 recognitions, 800 ms of CPU each',
    '  not read 1: 6.0 detections, 22.0 recognitions, 1200 ms of CPU each',
    '  a wheel that is not read costs 1.50 times the CPU of one that is',
  ]);
  const withheld = [row({ actual: null, withheld: '225/45R17' }), row({ expected: 'none', actual: null, withheld: '205/55R16' })];
  expect(wheelLines(withheld)).toContain('  withheld because of another size on the wheel: 2, of them right 1');
  expect(wheelLines([row()])).toHaveLength(5);
});
