import { useElementSize } from '@mantine/hooks';
import { useLanguage } from '../i18n/language';
import { bars, niceMax, type Series } from './bars';

const HEIGHT = 190;
const MARGIN = { top: 14, right: 4, bottom: 22, left: 44 };
const TICKS = [0, 0.5, 1];

interface BarChartProps {
  /** The accessible name. A table beside the chart has the numbers. */
  readonly label: string;
  readonly days: readonly string[];
  /** Stacked from bottom to top. */
  readonly series: readonly Series[];
}

const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day));

/** Drawn at the available width, so that text keeps its size on a phone. */
export function BarChart({ label, days, series }: BarChartProps) {
  const { language } = useLanguage();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const area = { width: Math.max(width - MARGIN.left - MARGIN.right, 0), height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const max = niceMax(days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)));
  const number = new Intl.NumberFormat(language, { notation: 'compact' });
  const named = [...new Set([0, Math.floor((days.length - 1) / 2), days.length - 1])];
  const step = area.width / days.length;
  return (
    <div ref={ref} className="chart">
      <svg role="img" aria-label={label} width={width} height={HEIGHT}>
        <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
          {TICKS.map((part) => (
            <g key={part} transform={`translate(0 ${area.height * (1 - part)})`}>
              <line x2={area.width} className="chart-line" />
              <text x={-8} dy="0.32em" textAnchor="end">
                {number.format(max * part)}
              </text>
            </g>
          ))}
          {bars(series, max, days.length, area).map(({ x, y, width: wide, height, name, day, value, order }) => (
            <rect key={`${name}-${day}`} x={x} y={y} width={wide} height={height} className={`bar bar-${order}`}>
              <title>{`${dayText(days[day]!, language)} · ${name}: ${value}`}</title>
            </rect>
          ))}
          {named.map((index, place) => (
            <text
              key={index}
              x={step * (index + 0.5)}
              y={area.height + 16}
              textAnchor={(['start', 'middle', 'end'] as const)[named.length > 1 && place === named.length - 1 ? 2 : Math.min(place, 1)]}
            >
              {dayText(days[index]!, language)}
            </text>
          ))}
        </g>
      </svg>
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name }, order) => (
            <li key={name}>
              <svg width={12} height={12} aria-hidden="true">
                <rect width={12} height={12} rx={2} className={`bar bar-${order}`} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
