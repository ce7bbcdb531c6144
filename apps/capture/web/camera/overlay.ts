import type { ImageType } from '@tire/kernel/slots';
import { svg } from '../view/element';

/** What to frame, over the live picture and in its pixels: both edges of a tread, or a wheel in a circle. */
export function outlineOf(type: ImageType, width: number, height: number): SVGElement {
  const short = Math.min(width, height);
  const [left, right] = [width / 2 - short * 0.42, width / 2 + short * 0.42];
  const shapes =
    type === 'tread'
      ? [svg('path', { d: `M${left} ${height * 0.04}V${height * 0.96}M${right} ${height * 0.04}V${height * 0.96}` })]
      : [
          svg('circle', { cx: width / 2, cy: height / 2, r: short * 0.44 }),
          svg('circle', { cx: width / 2, cy: height / 2, r: short * 0.27 }),
        ];
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'outline', 'aria-hidden': 'true' },
    svg(
      'g',
      { class: 'under' },
      shapes.map((shape) => shape.cloneNode()),
    ),
    svg('g', { class: 'over' }, shapes),
    svg('g', { class: 'level', transform: `translate(${width / 2} ${height / 2})` }, [
      svg('path', { d: `M${-short * 0.12} 0H${short * 0.12}`, class: 'horizon' }),
    ]),
  );
}

/** Turns the horizon by the tilt of the phone; hides it while that is not known. */
export function showTilt(outline: SVGElement, tiltDegrees: number | null, isLevel: boolean): void {
  const horizon = outline.querySelector('.horizon');
  if (!horizon) return;
  horizon.setAttribute('class', `horizon ${tiltDegrees === null ? 'hidden' : isLevel ? 'even' : 'askew'}`);
  if (tiltDegrees !== null) horizon.setAttribute('transform', `rotate(${(-tiltDegrees).toFixed(1)})`);
}
