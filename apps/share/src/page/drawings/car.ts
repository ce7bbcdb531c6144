import type { ContentTire } from '@tire/contracts/api';
import { type Drawing, svg } from './drawing';
import { html, type Html } from '../document/html';
import { baldNote, depthInPlace, depthMissing, labelInPlace, unseenNote } from '../facts/facts';
import { isTireUnknown } from '../facts/grooves';
import { badge, type Sign, signOfDecision } from '../facts/severity';
import type { Words } from '../words/words';

/** Seen from above, driving upwards: left on the page is left in the car. */
const CAR: Drawing = {
  widthUnits: 104,
  heightUnits: 180,
  shapes: [
    { look: 'body', path: 'M22 30c0-18 12-26 30-26s30 8 30 26l3 46v70c0 22-12 30-33 30s-33-8-33-30V76Z' },
    { look: 'glass', path: 'M28 62c14-8 34-8 48 0l-5 20c-12-4-26-4-38 0Z' },
    { look: 'glass', path: 'M32 132c12 4 28 4 40 0l4 17c-14 6-34 6-48 0Z' },
    { look: 'line', path: 'M33 84v46M71 84v46M30 24c10-8 34-8 44 0' },
    { look: 'line', path: 'M19 70l-7 4v8l7-3M85 70l7 4v8l-7-3' },
  ],
};

/** The same rounded wheel, from its upper left corner. */
const WHEEL_PATH = 'm4 0h6a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4h-6a4 4 0 0 1-4-4v-24a4 4 0 0 1 4-4Z';

const WHEEL_CORNERS: Record<ContentTire['position'], string> = {
  front_left: 'M10 28',
  front_right: 'M80 28',
  rear_left: 'M10 124',
  rear_right: 'M80 124',
};

const signOfWheel = (tire: ContentTire): Sign => (isTireUnknown(tire) ? 'unknown' : signOfDecision(tire));

/** The four tires in their positions, under the body of the car. */
export const carDrawing = (tires: readonly ContentTire[]): Drawing => ({
  ...CAR,
  shapes: [
    ...tires.map((tire) => ({ look: `wheel ${signOfWheel(tire)}` as const, path: WHEEL_CORNERS[tire.position] + WHEEL_PATH })),
    ...CAR.shapes,
  ],
});

function place(words: Words, tire: ContentTire): Html {
  const { position, position_label } = tire;
  const depth = depthInPlace(words, tire);
  const missing = depthMissing(words, tire);
  const bald = baldNote(words, tire);
  const unseen = unseenNote(words, tire);
  return html`<li class="at ${position}">
    <h3>${position_label}</h3>
    ${
      depth
        ? html`<p class="depth">
            ${depth.about !== null && html`<small>${depth.about}</small>`} <span>${depth.depth}</span>
            ${depth.interval !== null && html`<small class="interval">${depth.interval}</small>`}
          </p>`
        : html`<p class="depth none">${missing}</p>`
    }
    ${bald !== null && html`<p class="bald">${bald}</p>`} ${unseen !== null && html`<p class="unseen">${unseen}</p>`}
    ${badge(signOfDecision(tire), labelInPlace(tire))}
  </li>`;
}

/** The four tires in their positions. The drawing is hidden from screen readers: the text beside it has the same content. */
export const car = (words: Words, tires: readonly ContentTire[]): Html =>
  html`<div class="car">
    ${svg(carDrawing(tires))}
    <ul>
      ${tires.map((tire) => place(words, tire))}
    </ul>
  </div>`;
