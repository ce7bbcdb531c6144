import { Content, type RenderData, type ReportSlot, TreadResult } from '@tire/contracts/api';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateContent } from '../document/generate';
import { API_URL, CONTENT_REVISION, snapshotOf } from '../fixtures/snapshot.fixture';
import {
  aligned,
  differenceUnder,
  drawn,
  flipped,
  intersectionOverUnion,
  middleOf,
  type Outline,
  type Raster,
  readRaster,
  turned,
} from '../../testing/raster.fixture';

type Side = 'left' | 'right';
type Overlay = RenderData['tread_overlays'][number];

/** A result of the engine for the golden image of the tread model. The test adds that the inside of the car lies to the right. */
const ENGINE = JSON.parse(readFileSync(join(__dirname, '../../testing/engine-result.json'), 'utf8')) as {
  readonly tire_rotation: number;
  readonly groove_masks: readonly { readonly depth_mm: number; readonly score: number; readonly polygon_xy_norm: [number, number][] }[];
};
const IMAGE_FILE = join(__dirname, '../../../../inference/models/tread/golden.jpg');
const LONG_SIDE_PX = 960;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const opposite = (side: Side): Side => (side === 'left' ? 'right' : 'left');

/** A camera position: from the other side of the axle, and turned. */
interface Shot {
  readonly flip: boolean;
  readonly turnDegrees: number;
}

const shoot = async (raster: Raster, { flip, turnDegrees }: Shot): Promise<Raster> =>
  turned(flip ? await flipped(raster) : raster, turnDegrees);

/** Moves a point as `shoot` moves the pixels. */
function shotPoint([x, y]: readonly [number, number], { flip, turnDegrees }: Shot, from: Raster, to: Raster): [number, number] {
  const dx = (flip ? 0.5 - x : x - 0.5) * from.width;
  const dy = (y - 0.5) * from.height;
  const [cos, sin] = [Math.cos(radians(turnDegrees)), Math.sin(radians(turnDegrees))];
  return [0.5 + (dx * cos - dy * sin) / to.width, 0.5 + (dx * sin + dy * cos) / to.height];
}

/** The result of the engine for a shot: the masks at the new places of their grooves, and the turn that undoes the shot's. */
function resultOf(outlines: readonly Outline[], shot: Shot, vehicleSide: Side): TreadResult {
  const upright = shot.flip ? -ENGINE.tire_rotation : ENGINE.tire_rotation;
  return TreadResult.parse({
    aggregated_depth: null,
    individual_depths: { individual_remaining_depth: ENGINE.groove_masks.map(({ depth_mm }) => depth_mm) },
    tire_rotation: upright - shot.turnDegrees,
    vehicle_side: vehicleSide,
    groove_masks: ENGINE.groove_masks.map((mask, index) => ({ ...mask, polygon_xy_norm: outlines[index] })),
    tread_roi: { bbox_xyxy_norm: null },
  });
}

function overlayOf(position: 'front_left' | 'front_right', result: TreadResult): Overlay {
  const change = (slot: ReportSlot): ReportSlot =>
    slot.slot_id === `tire.tread.${position}` ? { ...slot, analysis: { ...slot.analysis, result } } : slot;
  const { content } = generateContent(snapshotOf({ change }), CONTENT_REVISION, API_URL);
  return Content.parse(content).render_data.tread_overlays.find(({ slot_id }) => slot_id === `tire.tread.${position}`)!;
}

/** Follows the specification: build in the input image, turn clockwise, then flip in the turned frame. */
async function displayed(raster: Raster, { coordinate_system }: Overlay): Promise<Raster> {
  const upright = await turned(raster, coordinate_system.rotation_degrees_clockwise);
  return coordinate_system.mirror_x ? flipped(upright) : upright;
}

describe('overlays of render_data, drawn over the photograph as the specification requires', () => {
  let image: Raster;

  beforeAll(async () => {
    image = await readRaster(IMAGE_FILE, LONG_SIDE_PX);
  });

  const shots = [0, 90, 180, 270, 17.5, -38].flatMap((turnDegrees) => [false, true].map((flip) => ({ flip, turnDegrees })));
  const cases = (['front_left', 'front_right'] as const).flatMap((position) => shots.map((shot) => ({ position, ...shot })));

  /** `npm run test:long` tests all of them. */
  const tested = process.env['LONG_FORM'] ? cases : cases.filter((_, index) => index % 5 === 0);

  it.each(tested)('$position, flipped: $flip, turned by $turnDegrees', async ({ position, ...shot }) => {
    // On a left tire the inside of the car is to the right of a image as it is shown, on a right tire to the left.
    const inside = position === 'front_left' ? 'right' : 'left';
    const masks = inside === 'right' ? ENGINE.groove_masks : [...ENGINE.groove_masks].reverse();
    const outlines = masks.map(({ polygon_xy_norm }) => polygon_xy_norm);
    const input = await shoot(image, shot);
    const shotOutlines = outlines.map((outline) => outline.map((point) => shotPoint(point, shot, image, input)));
    const overlay = overlayOf(position, resultOf(shotOutlines, shot, shot.flip ? opposite(inside) : inside));
    expect(overlay.coordinate_system.mirror_x).toBe(shot.flip);

    const polygons = overlay.groove_masks.map(({ polygon_xy_norm }) => polygon_xy_norm);
    const shown = await displayed(await drawn(polygons, input), overlay);
    const truth = await turned(await drawn(outlines, image), ENGINE.tire_rotation);
    const iou = intersectionOverUnion(...(await aligned(shown, truth)));
    const [shownImage, trueImage] = await aligned(await displayed(input, overlay), await turned(image, ENGINE.tire_rotation));
    const [shownMask] = await aligned(shown, trueImage);
    const difference = differenceUnder(shownMask, shownImage, trueImage);
    // Turning resamples, so edges are off by half a pixel; a wrong turn or flip leaves less than a third.
    expect(iou).toBeGreaterThan(0.9);
    expect(difference).toBeLessThan(6);

    const middles = await Promise.all(polygons.map(async (polygon) => middleOf(await displayed(await drawn([polygon], input), overlay))));
    expect(middles).toEqual([...middles].sort((a, b) => (position === 'front_left' ? a - b : b - a)));
  });
});
