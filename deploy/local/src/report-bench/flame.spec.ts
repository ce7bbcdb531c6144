import { flameGraph } from './flame';
import type { Frame, Stack } from './profile';

const frame = (name: string, file = ''): Frame => ({ name, file });
const stack = (ms: number, ...frames: Frame[]): Stack => ({ ms, frames });

const titles = (svg: string) => [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, text]) => text);
const rects = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)"/g)].map((found) => found.slice(1).map(Number));

describe('a flame graph', () => {
  const [save, query] = [frame('save', 'apps/ledger/src/a.js'), frame('query', 'node_modules/pg/a.js')];

  it('merges equal callers and puts the longest first', () => {
    const svg = flameGraph('ledger', [stack(10, frame('(garbage collector)')), stack(20, save), stack(10, save, query)]);
    expect(titles(svg)).toEqual([
      'ledger: 40.0 ms, 100.0 %',
      'save apps/ledger/src/a.js: 30.0 ms, 75.0 %',
      'query node_modules/pg/a.js: 10.0 ms, 25.0 %',
      '(garbage collector): 10.0 ms, 25.0 %',
    ]);
    expect(rects(svg)).toEqual([
      [0, 0, 1_400],
      [0, 17, 1_050],
      [0, 34, 350],
      [1_050, 17, 350],
    ]);
  });

  it('is XML whatever a function is called, and leaves out what is too narrow to see', () => {
    const svg = flameGraph('a', [stack(10_000, frame('<anonymous> & "x"', 'apps/a.js')), stack(1, frame('brief'))]);
    expect(titles(svg)[1]).toContain('&lt;anonymous> &amp; &quot;x&quot;');
    expect(svg).not.toContain('brief');
  });

  it('of nothing is a picture too', () => {
    expect(rects(flameGraph('share', []))).toEqual([]);
  });
});
