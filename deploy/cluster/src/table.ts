export interface Row {
  readonly check: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly detail: string;
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`;

/** A table of Markdown, for the chart's README. */
export const table = (rows: readonly Row[]): string =>
  [
    line(['check', 'result', 'seconds', 'what']),
    '|---|---|---|---|',
    ...rows.map(({ check, passed, seconds, detail }) => line([check, passed ? 'passed' : 'FAILED', seconds.toFixed(0), detail])),
  ].join('\n');
