import type { Position } from '@tire/kernel/slots';
import type { Stop } from '../app/walk';
import type { Words } from '../i18n/en';
import { h, svg } from './element';
import { sightText } from './sight';

/** Seen from above, driving upwards: left on the page is left in the car. The outline is that of the share page. */
const BODY = 'M22 30c0-18 12-26 30-26s30 8 30 26l3 46v70c0 22-12 30-33 30s-33-8-33-30V76Z';
const GLASS = 'M28 62c14-8 34-8 48 0l-5 20c-12-4-26-4-38 0ZM32 132c12 4 28 4 40 0l4 17c-14 6-34 6-48 0Z';
const LINES = 'M33 84v46M71 84v46M30 24c10-8 34-8 44 0M19 70l-7 4v8l7-3M85 70l7 4v8l-7-3';
const WHEELS: Record<Position, readonly [x: number, y: number]> = {
  front_left: [10, 28],
  front_right: [80, 28],
  rear_left: [10, 124],
  rear_right: [80, 124],
};

/** Decoration: the buttons beside it say the same. */
const drawing = (stops: readonly Stop[]): SVGElement =>
  svg(
    'svg',
    { viewBox: '0 0 104 180', class: 'drawing', 'aria-hidden': 'true' },
    (Object.entries(WHEELS) as [Position, readonly [number, number]][]).map(([position, [x, y]]) => {
      const atWheel = stops.filter(({ slot }) => slot.slot.position === position).map(({ sight }) => sight.is);
      const look = atWheel.includes('failed') ? 'failed' : atWheel.length > 0 && atWheel.every((is) => is === 'good') ? 'good' : 'open';
      return svg('rect', { x, y, width: 14, height: 32, rx: 4, class: `wheel ${look}` });
    }),
    svg('path', { d: BODY, class: 'body' }),
    svg('path', { d: GLASS, class: 'glass' }),
    svg('path', { d: LINES, class: 'lines' }),
  );

const button = (words: Words, stop: Stop): HTMLElement => {
  const { slot, sight, id } = stop;
  return h(
    'button',
    { type: 'button', class: `spot ${sight.is}`, 'data-do': 'open', 'data-slot': id, 'data-key': id },
    h('span', { class: 'unseen' }, `${words.positions[slot.slot.position]} `),
    h('span', { class: 'name' }, words.types[slot.slot.image_type]),
    ' ',
    h('span', { class: 'state' }, sightText(words, sight)),
  );
};

/** The four wheels in their places around the car, each with a button for each of its photographs. */
export const car = (words: Words, stops: readonly Stop[]): HTMLElement =>
  h(
    'div',
    { class: 'car' },
    drawing(stops),
    (Object.keys(WHEELS) as Position[]).map((position) =>
      h(
        'section',
        { class: `at ${position}` },
        h('h2', {}, words.positions[position]),
        stops.filter(({ slot }) => slot.slot.position === position).map((stop) => button(words, stop)),
      ),
    ),
  );
