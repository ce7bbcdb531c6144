import { readFileSync } from 'node:fs';
import { DOCUMENT, SAVED, withTables } from './document';
import type { Measurement } from './measurement';
import { costOf, limitsOf, LOADS, needsOf, STATELESS } from './model';
import { shown } from './tables';

const measured = JSON.parse(readFileSync(SAVED, 'utf8')) as Measurement;
const load = (peakPerMinute: number) => ({ name: '', peakPerMinute, reportsOfYear: peakPerMinute * 525_600 });

it('the tables of docs/scale.md are those of the saved measurement', () => {
  const document = readFileSync(DOCUMENT, 'utf8');
  expect(withTables(document, measured)).toBe(document);
});

it('ten times the reports need ten times of everything that each report needs', () => {
  const [one, ten] = [needsOf(measured, load(1_000)), needsOf(measured, load(10_000))];
  const exact = ['imagesPerSecond', 'commitsPerSecond', 'walMbPerSecond', 'messagesPerSecond', 's3TbOfYear', 'databaseGbOfYear'] as const;
  for (const what of exact) expect(ten[what] / one[what]).toBeCloseTo(10);
  // What a process needs at rest is needed once.
  expect(ten.databaseCores / one.databaseCores).toBeGreaterThan(9);
  expect(ten.databaseCores / one.databaseCores).toBeLessThan(10);
});

it('a small load has two pods of each service', () => {
  expect(Object.values(needsOf(measured, LOADS[0]!).pods)).toEqual(STATELESS.map(() => 2));
});

it('a peak costs cores, and only the reports of the year cost storage', () => {
  const even = costOf(measured, needsOf(measured, load(1_000)));
  const uneven = costOf(measured, needsOf(measured, { ...load(1_000), peakPerMinute: 4_000 }));
  expect(uneven['S3 storage']).toBe(even['S3 storage']);
  expect(uneven.inference / even.inference).toBeCloseTo(1, 1);
  expect(uneven.services).toBeGreaterThan(even.services);
});

it('the first limit comes first, and twice the cost of a report halves the rate at which its limit is reached', () => {
  const limits = limitsOf(measured);
  expect(limits.map(({ reachedAt }) => reachedAt)).toEqual(limits.map(({ reachedAt }) => reachedAt).sort((a, b) => a - b));
  const twice = {
    ...measured,
    perReport: { ...measured.perReport, wal: { ...measured.perReport.wal, bytes: 2 * measured.perReport.wal.bytes } },
  };
  const log = (of: Measurement) => limitsOf(of).find(({ what }) => what.startsWith('log'))!.reachedAt;
  expect(log(measured) / log(twice)).toBeCloseTo(2);
});

it.each([
  [0, '0'],
  [0.00456, '0.005'],
  [0.123, '0.123'],
  [8.333, '8.33'],
  [56.78, '56.8'],
  [1_234.5, '1,230'],
])('%d is shown as %s', (value, text) => expect(shown(value)).toBe(text));
