import type { Report } from '../types.ts';

type Analysis = Report['slots'][number]['analysis'];

const millimetres = (depthMm: number): string => `${depthMm.toFixed(1)} mm`;

/** One line for people: `6.1 mm (5.4 to 6.8)`, `225/45R17`, or why there is no result. */
export function resultLine({ status, result, error, retake }: Analysis): string {
  if (status === 'pending') return 'pending';
  if (error) return [error.code, ...(retake ?? []).map(({ code, hint }) => `${code}: ${hint.en}`)].join('; ');
  if (result && 'aggregated_depth' in result) {
    const { aggregated_remaining_depth: depthMm = null, depth_interval_mm: interval } = result.aggregated_depth ?? {};
    if (depthMm === null) return 'no depth';
    return interval ? `${millimetres(depthMm)} (${interval.map((one) => one.toFixed(1)).join(' to ')})` : millimetres(depthMm);
  }
  const size = result && 'size' in result ? result.size : null;
  return size ? `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}` : 'no size';
}

/** Columns, the first one as wide as its longest value. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}\n`).join('');
}
