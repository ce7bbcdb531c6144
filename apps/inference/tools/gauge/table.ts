import { errorTable, isMatched, type Compared, type ErrorTable } from './errors';

const mm = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(2));
const percent = (value: number) => (Number.isNaN(value) ? '–' : `${(100 * value).toFixed(0)} %`);
const list = (depths: readonly number[]) => depths.map((depthMm) => depthMm.toFixed(1)).join(' ');

/** The table as lines of Markdown, for the terminal and for a model's card. */
export const tableLines = (table: ErrorTable): string[] => [
  '| | |',
  '|---|--:|',
  `| photographs | ${table.images} |`,
  `| refused | ${table.refused} |`,
  `| as many grooves as the gauge read | ${table.countExact} |`,
  `| grooves compared | ${table.grooves} |`,
  `| mean absolute error, mm | ${mm(table.meanAbsoluteMm)} |`,
  `| bias, mm | ${mm(table.biasMm)} |`,
  `| within 0.5 mm | ${percent(table.within05)} |`,
  `| within the 90 % interval | ${percent(table.covered)} |`,
  `| within 1.0 mm | ${percent(table.within10)} |`,
  ...table.buckets.map(
    ({ fromMm, grooves, biasMm }) => `| bias of ${fromMm} to ${fromMm + 1} mm (${grooves} grooves), mm | ${mm(biasMm)} |`,
  ),
];

export function gaugeTable(compared: readonly Compared[]): string {
  const rows = compared.map((one) => {
    const verdict = one.measuredMm === null ? 'refused' : isMatched(one) ? 'compared' : 'another number of grooves';
    return `${one.file}\tgauge ${list(one.gaugeMm)}\tmeasured ${list(one.measuredMm ?? [])}\t${verdict}`;
  });
  return `${[...rows, '', ...tableLines(errorTable(compared))].join('\n')}\n`;
}
