import { emptyField, type Field } from '../../src/domain/field';
import { turned, type UprightFrame } from '../../src/domain/tread/upright-frame';

/**
 * The output of the filter graph for every pixel. directionX and directionY are the strength times cos and sin of the doubled angle across
 * the line.
 */
export interface FilterMaps {
  readonly tread: Field;
  readonly groove: Field;
  readonly directionX: Field;
  readonly directionY: Field;
  readonly reflectance: Field;
}

/** Response to dark lines on rubber along the frame's vertical, averaged over `reach` rows. */
export function alongResponse(maps: FilterMaps, frame: UprightFrame, reach: number): Field {
  const cos = Math.cos(2 * frame.angleRad);
  const sin = Math.sin(2 * frame.angleRad);
  const { width, height } = maps.groove;
  const aligned = emptyField(width, height);
  for (let i = 0; i < aligned.data.length; i++) {
    const value = maps.directionX.data[i]! * cos + maps.directionY.data[i]! * sin;
    aligned.data[i] = value > 0 ? value * Math.min(1, maps.tread.data[i]! * 1.5) : 0;
  }
  return smoothedAlong(turned(aligned, frame), reach);
}

function smoothedAlong(field: Field, reach: number): Field {
  const result = emptyField(field.width, field.height);
  for (let x = 0; x < field.width; x++) {
    let sum = 0;
    for (let y = -reach; y < field.height; y++) {
      if (y + reach < field.height) sum += field.data[(y + reach) * field.width + x]!;
      if (y - reach - 1 >= 0) sum -= field.data[(y - reach - 1) * field.width + x]!;
      if (y >= 0) result.data[y * field.width + x] = sum / (2 * reach + 1);
    }
  }
  return result;
}

/** The strongest directions across lines, in radians from -pi/2 to pi/2: peaks of a histogram over the tread. */
export function directionCandidates(maps: FilterMaps, count: number): number[] {
  const bins = new Float64Array(180);
  for (let i = 0; i < maps.groove.data.length; i++) {
    const strength = maps.groove.data[i]!;
    if (strength < 0.02 || maps.tread.data[i]! < 0.4) continue;
    const degrees = (Math.atan2(maps.directionY.data[i]!, maps.directionX.data[i]!) / 2) * (180 / Math.PI);
    bins[(Math.round(degrees) + 180) % 180]! += Math.min(strength, 0.4);
  }
  const smooth = bins.map((_, i) => {
    let sum = 0;
    for (let d = -6; d <= 6; d++) sum += bins[(i + d + 180) % 180]! * (7 - Math.abs(d));
    return sum;
  });
  const peaks = Array.from(smooth.keys()).filter(
    (i) => smooth[i]! > 0 && smooth[i]! >= smooth[(i + 1) % 180]! && smooth[i]! > smooth[(i + 179) % 180]!,
  );
  return peaks
    .sort((a, b) => smooth[b]! - smooth[a]!)
    .slice(0, count)
    .map((bin) => ((bin > 90 ? bin - 180 : bin) * Math.PI) / 180);
}
