export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly day: number;
  readonly value: number;
  readonly order: number;
}

/** Keeps a small value visible beside large ones. */
const HEIGHT_MIN = 2;

/** The next of 2, 4, 10, 20, 40, 100 …, so that half of it is an integer too. */
export function niceMax(values: readonly number[]): number {
  const most = Math.max(2, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 10].map((factor) => factor * power).find((candidate) => candidate >= most && candidate % 2 === 0) ?? 10 * power;
}

/** Stacks the bars of each day. Zero values are not drawn. */
export function bars(series: readonly Series[], max: number, days: number, area: { width: number; height: number }): Bar[] {
  const step = area.width / days;
  const width = Math.max(step * 0.72, 1);
  return Array.from({ length: days }, (_, day) => day).flatMap((day) => {
    let top = area.height;
    return series.flatMap(({ name, values }, order) => {
      const value = values[day] ?? 0;
      if (value === 0) return [];
      const height = Math.max((value / max) * area.height, HEIGHT_MIN);
      top -= height;
      return [{ x: step * day + (step - width) / 2, y: top, width, height, name, day, value, order }];
    });
  });
}
