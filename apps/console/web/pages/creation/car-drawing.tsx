import { POSITIONS, type Position } from '../reports/positions';

const WHEELS: Readonly<Record<Position, readonly [x: number, y: number]>> = {
  front_left: [8, 44],
  front_right: [100, 44],
  rear_left: [8, 178],
  rear_right: [100, 178],
};
const BODY = 'M60 8C86 8 99 16 102 42l2 50v80l-3 50c-3 18-15 22-41 22s-38-4-41-22l-3-50V92l2-50C21 16 34 8 60 8z';
const WINDOWS = [
  'M28 88q32-20 64 0l-7 24q-25-9-50 0z',
  'M35 190q25 6 50 0l6 20q-31 10-62 0z',
  'M24 98l8 20v64l-8 14z',
  'M96 98l-8 20v64l8 14z',
];

/** A car seen from above, front at the top. Decorative: the list beside it has the same content. */
export function CarDrawing({ front }: { front: string }) {
  return (
    <svg viewBox="0 0 120 252">
      {POSITIONS.map((position) => (
        <rect key={position} className="car-wheel" x={WHEELS[position][0]} y={WHEELS[position][1]} width={12} height={34} rx={4} />
      ))}
      <path className="car-paint" d={BODY} />
      {WINDOWS.map((window) => (
        <path key={window} className="car-window" d={window} />
      ))}
      <text x={60} y={44} textAnchor="middle">
        {front}
      </text>
    </svg>
  );
}

/** The same drawing as an icon, with one wheel marked. */
export function WheelMark({ of }: { of: Position }) {
  return (
    <svg className="wheel-mark" viewBox="0 0 120 252" aria-hidden="true">
      <path className="car-paint" d={BODY} />
      {POSITIONS.map((position) => (
        <rect
          key={position}
          className={position === of ? 'car-wheel marked' : 'car-wheel'}
          x={WHEELS[position][0] - 6}
          y={WHEELS[position][1] - 8}
          width={24}
          height={50}
          rx={8}
        />
      ))}
    </svg>
  );
}
