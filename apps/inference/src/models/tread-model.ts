import { z } from 'zod';
import { measureTread, type TreadThresholds, type TreadVerdict, type View } from '../domain/tread/measure-tread';
import { sideAt } from '../domain/tread/tread-maps';
import { mainTread } from '../domain/tread/main-tread';
import { closeUpView } from '../domain/tread/close-up-view';
import type { RetakeReason } from '@tire/kernel';
import { showsWholeWheel } from '../domain/sidewall/ring/whole-wheel';
import type { RgbImage } from '../imaging/decode';
import { luminanceOf } from '../imaging/luminance';
import { Network } from './network';
import type { Measured, Model, Outcome } from './outcome';
import type { Provider, ExecutionOptions } from './providers';
import type { ModelFolder } from './repository';
import { look, WHOLE, type Part, type Prediction } from './tread-look';

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
  interval_high_from_mm: z.number().min(0).default(0),
  interval_high_slope: z.number().min(0).default(0),
  /** One in ten held-out renders has less confidence: below it, the coverage of the interval was not measured. */
  interval_sure_confidence: z.number().min(0).default(0.4),
  /** The model card has what a zone of this width finds, and how often it is false. */
  min_bald_share: z.number().default(0.125),
  /** 48 of 53 bald renders without a traced groove pass all of these; none of 147 renders and 136 photographs without a tread does. */
  min_is_tread_smooth: z.number().default(0.99),
  min_tread_share_smooth: z.number().default(0.15),
  min_bald_area_smooth: z.number().default(0.6),
  min_brightness_smooth: z.number().default(0.1),
  /** A part of the tread that was not seen. The model card has what each of these finds, and its cost. */
  max_cut_share: z.number().default(0.8),
  max_gap_share: z.number().default(0.4),
  max_line_strength: z.number().default(0.075),
  min_brightness: z.number(),
  max_brightness: z.number(),
  max_blur_px: z.number(),
  min_tread_share: z.number(),
  max_obliqueness: z.number(),
});

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
      intervalHighFromMm: t.interval_high_from_mm,
      intervalHighSlope: t.interval_high_slope,
      intervalSureConfidence: t.interval_sure_confidence,
      minBaldShare: t.min_bald_share,
      minIsTreadSmooth: t.min_is_tread_smooth,
      minTreadShareSmooth: t.min_tread_share_smooth,
      minBaldAreaSmooth: t.min_bald_area_smooth,
      minBrightnessSmooth: t.min_brightness_smooth,
      maxCutShare: t.max_cut_share,
      maxGapShare: t.max_gap_share,
      maxLineStrength: t.max_line_strength,
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
    return predictions.map((ofImage, i): Measured => {
      const measuredFrom = performance.now();
      const { measurement, reasons, unseen } = this.measured(ofImage);
      const outcome: Outcome = measurement
        ? { kind: 'tread', measurement, reasons }
        : { kind: 'error', errorCode: 'tread_not_found', reasons: this.refusedFor(reasons, ofImage, images[i]!) };
      return { outcome, modelMs, postMs: performance.now() - measuredFrom, unseen };
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

  /** Only an image that is no tread is searched for a wheel, which takes 0.3 s of CPU. */
  private refusedFor(reasons: readonly RetakeReason[], predictions: readonly Prediction[], image: RgbImage): readonly RetakeReason[] {
    const mayBeTread = predictions.some(({ maps }) => maps.isTread >= this.thresholds.minIsTread);
    if (mayBeTread || !showsWholeWheel(luminanceOf(image))) return reasons;
    return reasons.map((reason) => (reason === 'not_a_tread' ? 'wheel_in_tread_slot' : reason));
  }

  /** A close-up keeps the whole image's estimates of is-tread, side and brightness. */
  private async closeUp(image: RgbImage, view: View, whole: Prediction): Promise<Prediction> {
    const [{ maps }] = (await look(this.network, [{ image, view }], this.inputPx)) as [Prediction];
    const { isTread, brightness } = whole.maps;
    return { view, maps: mainTread({ ...maps, isTread, brightness, side: sideAt(whole.maps, maps.rotationRad) }) };
  }

  private async predict(parts: readonly Part[]): Promise<Prediction[]> {
    const predictions = await look(this.network, parts, this.inputPx);
    return predictions.map(({ view, maps }) => ({ view, maps: mainTread(maps) }));
  }
}
