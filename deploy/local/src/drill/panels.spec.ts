import { panelLine } from './panels';

const series = (...values: readonly (readonly [job: string, value: string])[]) =>
  values.map(([job, value]) => ({ metric: { job }, value: [0, value] as const }));
const legendFormat = '{{job}}';

it.each([
  ['a value', 'What waits', series(['ledger', '12.3456'], ['share', '0']), 'ledger 12.3'],
  ['zeros only', 'What waits', series(['ledger', '0'], ['share', '0']), '0'],
  ['no series', 'What waits', [], 'no data'],
  [
    'many series',
    'What waits',
    series(...Array.from('123456789', (value) => ['a', value] as const)),
    'a 1, a 2, a 3, a 4, a 5, a 6, a 7, a 8, and 1 more',
  ],
  ['processes', 'What does not respond', series(['ledger', '0'], ['share', '1']), 'ledger DOWN, share answers'],
])('shows %s', (_, title, values, end) => {
  expect(panelLine({ title, legendFormat }, values)).toBe(`${title.padEnd(48)} ${end}`);
});
