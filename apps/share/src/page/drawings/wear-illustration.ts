import type { Content, ContentTire } from '@tire/contracts/api';
import type { Drawing } from './drawing';
import { listingOf } from '../facts/grooves';
import type { Words } from '../words/words';

type Wear = Pick<NonNullable<ContentTire['wear_pattern']>, 'code' | 'worn_shoulder'>;

type Position = ContentTire['position'];

/** The outside of a left tire is on the left of the car. */
const isOuter = (position: Position, shoulder: NonNullable<Wear['worn_shoulder']>): boolean => position.endsWith(shoulder);

/** The remaining height of each of the five ribs, of ten, from the outside to the inside. */
function ribsOf(position: Position, { code, worn_shoulder }: Wear): readonly number[] {
  switch (code) {
    case 'even_wear':
      return [7, 7, 7, 7, 7];
    case 'center_wear_overinflation_candidate':
      return [8, 6, 3, 6, 8];
    case 'both_shoulder_wear_underinflation_candidate':
      return [3, 6, 8, 6, 3];
    case 'one_shoulder_wear_alignment_candidate':
      if (worn_shoulder === null) return [7, 7, 7, 7, 7];
      return isOuter(position, worn_shoulder) ? [3, 5, 6, 7, 8] : [8, 7, 6, 5, 3];
    case 'mixed_or_uncertain':
      return [7, 7, 7, 7, 7];
  }
}

const NEW = 8;
const WORN = 5;

/** It may be unknown which shoulder is worn. Then neither shoulder is marked. */
const isVague = ({ code, worn_shoulder }: Wear): boolean =>
  code === 'mixed_or_uncertain' || (code === 'one_shoulder_wear_alignment_candidate' && worn_shoulder === null);

function look(wear: Wear, height: number): 'rib' | 'worn' | 'vague' {
  if (isVague(wear)) return 'vague';
  return height < WORN ? 'worn' : 'rib';
}

/** The labels of the two ends of the drawing. A document names a worn shoulder only where its side is known. */
export function wearEnds(
  words: Words,
  { slot_id, wear_pattern: wear }: ContentTire,
  { tires, render_data }: Content,
): Words['sideKnown']['ends'] {
  if (wear?.worn_shoulder) return words.sideKnown.ends;
  const overlay = render_data.tread_overlays.find((one) => one.slot_id === slot_id);
  return overlay ? listingOf(words, overlay, tires).ends : words.sideUnknown.ends;
}

/** A cross-section of the tread. The dashed line is a new tread, worn ribs are red, and ribs without a judgement are outlined. */
export const wearDrawing = (position: Position, wear: Wear): Drawing => ({
  widthUnits: 78,
  heightUnits: 34,
  shapes: [
    { look: 'new', path: `M1 ${22 - NEW * 2}H77` },
    ...ribsOf(position, wear).map((height, index) => ({
      look: look(wear, height),
      path: `M${3 + index * 15} ${22 - height * 2}h12V22h-12Z`,
    })),
    { look: 'carcass', path: 'M1 22h76v4c-12 6-64 6-76 0Z' },
  ],
});
