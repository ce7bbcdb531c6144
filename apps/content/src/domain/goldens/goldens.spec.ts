import { Content } from '@tire/contracts/api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES } from './cases.fixture';
import { copyCatalogue, sentenceExamples } from './catalogue.fixture';
import { goldenOf } from './golden.fixture';

const golden = (name: string): string => readFileSync(join(__dirname, `${name}.json`), 'utf8');

describe('goldens of the issued versions', () => {
  it('are at least forty, one for each case', () => {
    const files = readdirSync(__dirname).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
    expect(files.sort()).toEqual(Object.keys(CASES).sort());
    expect(files.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(CASES))('%s', (name, car) => {
    expect(goldenOf(car)).toBe(golden(name));
    Content.parse(JSON.parse(golden(name)));
  });
});

describe('the catalogue of sentences', () => {
  it('is up to date', () => {
    expect(readFileSync(join(__dirname, '../../../COPY-ko-1.0.md'), 'utf8')).toBe(copyCatalogue());
  });

  it('has an example of every sentence: each one can appear in a report', () => {
    expect([...sentenceExamples()].filter(([, examples]) => examples.length === 0).map(([sentence]) => sentence)).toEqual([]);
  });
});
