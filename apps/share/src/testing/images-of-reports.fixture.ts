import type { Content, ContentTire } from '@tire/contracts/api';

type RenderData = Content['render_data'];
type Overlay = RenderData['tread_overlays'][number];
type Zone = NonNullable<Overlay['bald_zones']>['zones'][number];

const id = (number: number): string => `01999000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const TREADS = 100;
const SIDEWALLS = 200;

/** The assets of the fixtures by what they show, for servers of images. */
export const isSidewall = (assetId: string): boolean => Number(assetId.slice(-12)) >= SIDEWALLS;

/** Grooves and edges of `tire.jpg`, which lean to the right. */
const LEAN = 0.143;
const strip = (left: number, width: number): [number, number][] => [
  [left, 0],
  [left + width, 0],
  [left + width + LEAN, 1],
  [left + LEAN, 1],
];
const GROOVES = [0.193, 0.342, 0.487, 0.632];
const GROOVE_WIDTH = 0.034;
const EDGE = 0.045;
const WIDTH = 0.77;
const ZONES: Readonly<Record<Zone['place'], readonly [from: number, to: number]>> = {
  whole: [0, 1],
  first_shoulder: [0, 0.17],
  center: [0.44, 0.57],
  last_shoulder: [0.83, 1],
};
/** Around the size on the sidewall's image. */
const SIZE_OUTLINE: [number, number][] = [
  [0.61, 0.13],
  [0.64, 0.09],
  [0.76, 0.15],
  [0.85, 0.26],
  [0.79, 0.29],
];

const intervalOf = (depthMm: number | null, tire: ContentTire | undefined): [number, number] | null => {
  if (depthMm === null || !tire?.depth_interval_mm) return null;
  const half = (tire.depth_interval_mm[1] - tire.depth_interval_mm[0]) / 2;
  return [depthMm - half, depthMm + half];
};

const zoneOnImage = ({ place }: Zone): Zone => {
  const [from_share, to_share] = ZONES[place];
  return { place, from_share, to_share, polygon_xy_norm: strip(EDGE + WIDTH * from_share, WIDTH * (to_share - from_share)) };
};

/**
 * The goldens have outlines of no image. The facts stay; the outlines move to where `tire.jpg` and the sidewall show them.
 * Each groove has an interval as wide as that of its tire, as the engine reports it.
 */
export function onImages({ render_data: { tread_overlays, sidewall_specs }, tires }: Content): RenderData {
  return {
    tread_overlays: tread_overlays.map((overlay, index) => ({
      ...overlay,
      asset: { ...overlay.asset, asset_id: id(TREADS + index) },
      tire_rotation: 0,
      tread_roi: null,
      groove_masks: overlay.groove_masks.map((mask, at) => ({
        ...mask,
        polygon_xy_norm: strip(GROOVES[at]!, GROOVE_WIDTH),
        depth_interval_mm: intervalOf(
          mask.depth_mm,
          tires.find(({ slot_id }) => slot_id === overlay.slot_id),
        ),
      })),
      bald_zones: overlay.bald_zones && { ...overlay.bald_zones, zones: overlay.bald_zones.zones.map(zoneOnImage) },
      coordinate_system: { ...overlay.coordinate_system, rotation_degrees_clockwise: 0, mirror_x: false },
    })),
    sidewall_specs: sidewall_specs.map((sidewall, index) => ({
      ...sidewall,
      asset: { ...sidewall.asset, asset_id: id(SIDEWALLS + index) },
      size_polygon_xy_norm: sidewall.size && SIZE_OUTLINE,
    })),
  };
}
