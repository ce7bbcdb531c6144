import type { VehicleHistory } from '@tire/contracts/console';
import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useLanguage, useTexts } from '../../i18n/language';
import { useTimeZone } from '../../ui/timestamp';
import { chartOf, LEGAL_LIMIT_MM, type Chart, type Point } from './depth-scale';
import { POSITIONS, type Position } from './positions';

const HEIGHT_PX = 260;
/** Used before the width of the page is known. */
const FIRST_WIDTH_PX = 600;
/** A shape for each tire, so that colour is not the only difference. In a square of 10 units around the point. */
const MARKS: Readonly<Record<Position, string>> = {
  front_left: 'M-4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0Z',
  front_right: 'M-3.6-3.6h7.2v7.2h-7.2Z',
  rear_left: 'M0-4.6 4.6 3.6h-9.2Z',
  rear_right: 'M0-5 5 0 0 5-5 0Z',
};

export function DepthChart({ inspections }: Pick<VehicleHistory, 'inspections'>) {
  const t = useTexts();
  const { ref, width } = useElementSize();
  const chart = chartOf(inspections, width || FIRST_WIDTH_PX, HEIGHT_PX);
  if (!chart) return <Text c="dimmed">{t.vehicles.noDepths}</Text>;
  return (
    <figure className="depth-chart" ref={ref}>
      <figcaption>
        <ul className="depth-legend">
          {POSITIONS.map((position) => (
            <li key={position} className={`series ${position}`}>
              <svg viewBox="-6 -6 12 12" aria-hidden="true">
                <path d={MARKS[position]} />
              </svg>
              {t.slots.positions[position]}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        width={chart.widthPx}
        height={HEIGHT_PX}
        viewBox={`0 0 ${chart.widthPx} ${HEIGHT_PX}`}
        role="img"
        aria-label={t.vehicles.chart(inspections.length)}
      >
        <Axes chart={chart} />
        {POSITIONS.map((position) => (
          <Series key={position} position={position} points={chart.series[position]} />
        ))}
      </svg>
    </figure>
  );
}

function Axes({ chart }: { chart: Chart }) {
  const t = useTexts();
  const { language } = useLanguage();
  const day = new Intl.DateTimeFormat(language, { year: '2-digit', month: 'numeric', day: 'numeric', timeZone: useTimeZone() });
  return (
    <g className="axes">
      {chart.depths.map(({ depthMm, y }) => (
        <g key={depthMm}>
          <path className="grid" d={`M${chart.left} ${y}H${chart.right}`} />
          <text x={chart.left - 8} y={y + 4} textAnchor="end">
            {depthMm}
          </text>
        </g>
      ))}
      <path className="limit" d={`M${chart.left} ${chart.limitY}H${chart.right}`} />
      <text className="limit-text" x={chart.right} y={chart.limitY - 5} textAnchor="end">
        {`${t.vehicles.limit} ${LEGAL_LIMIT_MM} mm`}
      </text>
      {chart.days.map(({ atMs, x, anchor }) => (
        <text key={atMs} x={x} y={HEIGHT_PX - 8} textAnchor={anchor}>
          {day.format(new Date(atMs))}
        </text>
      ))}
    </g>
  );
}

function Series({ position, points }: { position: Position; points: readonly Point[] }) {
  return (
    <g className={`series ${position}`}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ x, range }, index) => range && <path key={index} className="range" d={`M${x} ${range.lowY}V${range.highY}`} />)}
      {points.map(({ x, y, isDoubtful }, index) => (
        <path key={index} className={isDoubtful ? 'doubtful' : undefined} d={MARKS[position]} transform={`translate(${x} ${y})`} />
      ))}
    </g>
  );
}
