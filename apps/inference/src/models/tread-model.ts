import sharp from 'sharp';
import { z } from 'zod';
import type { Field } from '../domain/field';
import { measureTread, type TreadThresholds, type TreadVerdict, type View } from '../domain/tread/measure-tread';
import { sideAt, type TreadMaps } from '../domain/tread/tread-maps';
import { closeUpView } from '../domain/tread/close-up-view';
import type { RgbImage } from '../imaging/decode';
import { Network, plane } from './network';
import type { Measured, Model } from './outcome';
import type { Provider, ExecutionOptions } from './providers';
import type { ModelFolder } from './repository';

const Thresholds = z.strictObject({
  /** Long side of the network's input. The decoded image may be larger, for a close-up of a part of it. */
  look_px: z.number().int(),
  min_score_share: z.number(),
  min_score: z.number(),
  min_is_tread: z.number(),
  min_side: z.number(),
  min_groove_px: z.number(),
  min_length_share: z.number(),
  max_confidence: z.number(),
  depth_scale: z.number(),
  depth_offset_mm: z.number(),
  /** From the network's interval to one that holds in 90 % of the cases, by held-out renders or a gauge. */
  interval_low_scale: z.number().min(0).default(1),
  interval_high_scale: z.number().min(0).default(1),
  interval_offset_mm: z.number().default(0),
  /** One in ten held-out renders has less confidence: below it, nobody has measured how often the interval holds. */
  interval_sure_confidence: z.number().min(0).default(0.4),
  /** Of 146 treads whose grooves all have 3 mm and more, two have a zone of this width; it finds 204 of 219 treads that are bald in part. */
  min_bald_share: z.number().default(0.125),
  /** Nothing but bald treads passes all of these, of 53 that are smooth, 87 renders without a tread and 28 photographs of wheels. */
  min_is_tread_smooth: z.number().default(0.99),
  min_tread_share_smooth: z.number().default(0.15),
  min_bald_area_smooth: z.number().default(0.6),
  min_brightness_smooth: z.number().default(0.1),
  min_brightness: z.number(),
  max_brightness: z.number(),
  max_blur_px: z.number(),
  min_tread_share: z.number(),
  max_obliqueness: z.number(),
});

/** The network needs sides that are multiples of this. */
const STRIDE_PX = 32;
/** Interpolation needs two pixels. */
const MIN_SIDE_PX = 2;
const WHOLE: View = { left: 0, top: 0, width: 1, height: 1 };

interface Prediction {
  readonly view: View;
  readonly maps: TreadMaps;
}

/** The trained network of training/tread/network.py. This engine runs any model with these outputs. */
export class TreadModel implements Model {
  private constructor(
    private readonly network: Network,
    private readonly inputPx: number,
    private readonly thresholds: TreadThresholds,
  ) {}

  static async load(model: ModelFolder, execution: ExecutionOptions): Promise<TreadModel> {
    const t = Thresholds.parse(model.manifest.thresholds);
    const thresholds: TreadThresholds = {
      minScoreShare: t.min_score_share,
      minScore: t.min_score,
      minIsTread: t.min_is_tread,
      minSide: t.min_side,
      minGroovePx: t.min_groove_px,
      minLengthShare: t.min_length_share,
      maxConfidence: t.max_confidence,
      depthScale: t.depth_scale,
      depthOffsetMm: t.depth_offset_mm,
      intervalLowScale: t.interval_low_scale,
      intervalHighScale: t.interval_high_scale,
      intervalOffsetMm: t.interval_offset_mm,
      intervalSureConfidence: t.interval_sure_confidence,
      minBaldShare: t.min_bald_share,
      minIsTreadSmooth: t.min_is_tread_smooth,
      minTreadShareSmooth: t.min_tread_share_smooth,
      minBaldAreaSmooth: t.min_bald_area_smooth,
      minBrightnessSmooth: t.min_brightness_smooth,
      minBrightness: t.min_brightness,
      maxBrightness: t.max_brightness,
      maxBlurPx: t.max_blur_px,
      minTreadShare: t.min_tread_share,
      maxObliqueness: t.max_obliqueness,
    };
    return new TreadModel(await Network.load(model, 'tread', execution), t.look_px, thresholds);
  }

  get providers(): readonly Provider[] {
    return this.network.providers;
  }

  /** All whole images run as one batch; close-ups run one by one. */
  async analyze(images: readonly RgbImage[]): Promise<Measured[]> {
    const started = performance.now();
    const first = await this.predict(images.map((image) => ({ image, view: WHOLE })));
    const predictions: Prediction[][] = [];
    for (const [i, whole] of first.entries()) {
      const part = whole.maps.isTread >= this.thresholds.minIsTread && closeUpView(whole.maps);
      predictions.push(part ? [await this.closeUp(images[i]!, part, whole), whole] : [whole]);
    }
    const modelMs = (performance.now() - started) / images.length;
    return predictions.map((ofImage): Measured => {
      const measuredFrom = performance.now();
      const { measurement, reasons } = this.measured(ofImage);
      const outcome = measurement
        ? ({ kind: 'tread', measurement, reasons } as const)
        : ({ kind: 'error', errorCode: 'tread_not_found', reasons } as const);
      return { outcome, modelMs, postMs: performance.now() - measuredFrom };
    });
  }

  /**
   * The close-up counts where it can be measured, otherwise the whole image; a tread is smooth only where neither shows a groove. The reasons
   * of a refusal come from the whole image.
   */
  private measured(predictions: readonly Prediction[]): TreadVerdict {
    let smooth: TreadVerdict | undefined;
    let verdict: TreadVerdict | undefined;
    for (const { view, maps } of predictions) {
      verdict = measureTread(maps, view, this.thresholds);
      if (verdict.measurement?.baldZones?.wornSmooth) smooth ??= verdict;
      else if (verdict.measurement) return verdict;
    }
    return smooth ?? verdict!;
  }

  /** A close-up keeps the whole image's estimates of is-tread, side and brightness. */
  private async closeUp(image: RgbImage, view: View, whole: Prediction): Promise<Prediction> {
    const [predict] = await this.predict([{ image, view }]);
    const { isTread, brightness } = whole.maps;
    return { view, maps: { ...predict!.maps, isTread, brightness, side: sideAt(whole.maps, predict!.maps.rotationRad) } };
  }

  private async predict(parts: readonly { image: RgbImage; view: View }[]): Promise<Prediction[]> {
    const fitted = await Promise.all(parts.map(({ image, view }) => fit(image, view, this.inputPx)));
    const results = await this.network.run(fitted.map(({ padded }) => padded));
    return results.map((planes, i) => ({ view: parts[i]!.view, maps: mapsOf(planes, fitted[i]!) }));
  }
}

interface Fitted {
  readonly padded: RgbImage;
  readonly width: number;
  readonly height: number;
}

/** Scales the part to the network's input size, and repeats its last row and column up to a multiple of the stride. */
async function fit(image: RgbImage, view: View, inputPx: number): Promise<Fitted> {
  const across = pixelsOf(view.left, view.width, image.width);
  const down = pixelsOf(view.top, view.height, image.height);
  const part = { left: across.from, top: down.from, width: across.count, height: down.count };
  const scale = inputPx / Math.max(part.width, part.height);
  const [width, height] = [part.width, part.height].map((side) => Math.max(MIN_SIDE_PX, Math.round(side * scale))) as [number, number];
  const padding = { right: -width & (STRIDE_PX - 1), bottom: -height & (STRIDE_PX - 1) };
  const { data, info } = await sharp(image.rgb, { raw: { width: image.width, height: image.height, channels: 3 } })
    .extract(part)
    .resize(width, height, { fit: 'fill' })
    .extend({ ...padding, extendWith: 'copy' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { padded: { width: info.width, height: info.height, rgb: data }, width, height };
}

/** Rounds both ends to whole pixels, at least one apart. Rounding a length by itself could reach beyond the image. */
function pixelsOf(start: number, length: number, all: number): { from: number; count: number } {
  const from = Math.min(all - 1, Math.round(start * all));
  return { from, count: Math.max(1, Math.min(all, Math.round((start + length) * all)) - from) };
}

function mapsOf(planes: Map<string, Field>, fitted: Fitted): TreadMaps {
  const { width, height } = fitted;
  const field = (name: string) => cropped(plane(planes, name), width, height);
  const [cos, sin] = plane(planes, 'rotation').data;
  const [unknown, left, right] = plane(planes, 'side').data;
  const [blurPx] = plane(planes, 'quality').data;
  const given = (name: string) => (planes.has(name) ? field(name) : undefined);
  return {
    ...{ tread: field('tread'), groove: field('groove'), depth: field('depth'), spread: field('spread'), lateral: field('lateral') },
    ...{ depthLow: given('depth_low'), depthHigh: given('depth_high'), bald: given('bald') },
    rotationRad: Math.atan2(sin!, cos!) / 2,
    side: [unknown!, left!, right!],
    isTread: plane(planes, 'is_tread').data[0]!,
    ...{ blurPx: blurPx!, brightness: brightnessOf(fitted) },
  };
}

/** Computed, because a network's estimate is poor for images unlike its training data, such as a black frame. */
function brightnessOf({ padded, width, height }: Fitted): number {
  let sum = 0;
  for (let y = 0; y < height; y++) for (let i = 3 * y * padded.width; i < 3 * (y * padded.width + width); i++) sum += padded.rgb[i]!;
  return sum / (3 * width * height * 255);
}

function cropped(field: Field, width: number, height: number): Field {
  if (field.width === width && field.height === height) return field;
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) data.set(field.data.subarray(y * field.width, y * field.width + width), y * width);
  return { width, height, data };
}
