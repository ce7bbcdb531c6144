import type { ContentTire } from '@tire/contracts/api';
import type { Drawing } from './drawing';

type Wear = Pick<NonNullable<ContentTire['wear_pattern']>, 'code' | 'worn_shoulder'>;

/** The remaining height of each of the five ribs, of ten, from left to right in the direction of the car. */
function ribsOf({ code, worn_shoulder }: Wear): readonly number[] {
  switch (code) {
    case 'even_wear':
      return [7, 7, 7, 7, 7];
    case 'center_wear_overinflation_candidate':
      return [8, 6, 3, 6, 8];
    case 'both_shoulder_wear_underinflation_candidate':
      return [3, 6, 8, 6, 3];
    case 'one_shoulder_wear_alignment_candidate':
      if (worn_shoulder === null) return [7, 7, 7, 7, 7];
      return worn_shoulder === 'right' ? [8, 7, 6, 5, 3] : [3, 5, 6, 7, 8];
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

/** A cross-section of the tread. The dashed line is a new tread, worn ribs are red, and ribs without a judgement are outlined. */
export const wearDrawing = (wear: Wear): Drawing => ({
  widthUnits: 78,
  heightUnits: 34,
  shapes: [
    { look: 'new', path: `M1 ${22 - NEW * 2}H77` },
    ...ribsOf(wear).map((height, index) => ({ look: look(wear, height), path: `M${3 + index * 15} ${22 - height * 2}h12V22h-12Z` })),
    { look: 'carcass', path: 'M1 22h76v4c-12 6-64 6-76 0Z' },
  ],
});
