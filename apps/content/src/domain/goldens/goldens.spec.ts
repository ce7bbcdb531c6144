import { Content } from '@tire/contracts/api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Car } from '../fixtures/snapshot.fixture';
import { CASES } from './cases.fixture';
import { CASES_2_0 } from './cases-2.0.fixture';
import { CATALOGUES, copyCatalogue } from './catalogue.fixture';
import { goldenOf } from './golden.fixture';

const namesIn = (folder: string): string[] =>
  readdirSync(join(__dirname, folder)).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));

describe.each<[folder: string, cases: Readonly<Record<string, Car>>, atLeast: number]>([
  ['.', CASES, 40],
  ['2.0-ko-KR', CASES_2_0, 30],
  ['2.0-en-US', CASES_2_0, 30],
])('goldens of the issued versions in %s', (folder, cases, atLeast) => {
  const locale = folder.endsWith('en-US') ? 'en-US' : 'ko-KR';
  const golden = (name: string): string => readFileSync(join(__dirname, folder, `${name}.json`), 'utf8');

  it('are one for each case', () => {
    expect(namesIn(folder).sort()).toEqual(Object.keys(cases).sort());
    expect(namesIn(folder).length).toBeGreaterThanOrEqual(atLeast);
  });

  it.each(Object.entries(cases))('%s', (name, car) => {
    expect(goldenOf({ ...car, locale })).toBe(golden(name));
    Content.parse(JSON.parse(golden(name)));
  });
});

describe.each(Object.entries(CATALOGUES))('the catalogue of sentences of copy %s', (copy, examplesOf) => {
  const examples = examplesOf();

  it('is up to date', () => {
    expect(readFileSync(join(__dirname, `../../../COPY-${copy}.md`), 'utf8')).toBe(copyCatalogue(copy, examples));
  });

  it('has an example of every sentence: each one can appear in a report', () => {
    expect([...examples].filter(([, texts]) => texts.length === 0).map(([sentence]) => sentence)).toEqual([]);
  });
});
