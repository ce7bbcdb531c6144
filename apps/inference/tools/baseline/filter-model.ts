import { z } from 'zod';
import { measureFilterMaps } from './measure-tread';
import type { FilterMaps } from './filter-maps';
import type { RgbImage } from '../../src/imaging/decode';
import { Network, plane } from '../../src/models/network';
import type { Measured, Model } from '../../src/models/outcome';
import type { Provider, ExecutionOptions } from '../../src/models/providers';
import type { ToolModel } from '../models';

const Thresholds = z.strictObject({
  min_tread_share: z.number(),
  min_response: z.number(),
  max_response: z.number(),
  min_length_share: z.number(),
  min_relative_score: z.number(),
  min_rib_balance: z.number(),
  min_continuity: z.number(),
  max_darkness: z.number(),
  max_wander: z.number(),
  min_rubber: z.number(),
  max_spacing_variation: z.number(),
  min_overlap: z.number(),
  min_spacing_share: z.number(),
  min_grooves: z.number(),
  max_confidence: z.number(),
  tread_width_mm: z.number(),
  wall_light_share: z.number(),
  depth_scale: z.number(),
  depth_offset_mm: z.number(),
  deepest_mm: z.number(),
});

export class FilterModel implements Model {
  private constructor(
    private readonly network: Network,
    private readonly thresholds: z.infer<typeof Thresholds>,
  ) {}

  static async load(model: ToolModel, execution: ExecutionOptions): Promise<FilterModel> {
    const thresholds = Thresholds.parse(model.manifest.thresholds);
    return new FilterModel(await Network.load(model, 'tread', execution), thresholds);
  }

  get providers(): readonly Provider[] {
    return this.network.providers;
  }

  /** One image at a time: the graph has no batch dimension. */
  async analyze(images: readonly RgbImage[]): Promise<Measured[]> {
    const analyses: Measured[] = [];
    for (const image of images) analyses.push(await this.analyzeOne(image));
    return analyses;
  }

  private async maps(image: RgbImage): Promise<FilterMaps> {
    const planes = (await this.network.run([image]))[0]!;
    return {
      tread: plane(planes, 'tread'),
      groove: plane(planes, 'groove'),
      directionX: plane(planes, 'direction'),
      directionY: plane(planes, 'direction.1'),
      reflectance: plane(planes, 'reflectance'),
    };
  }

  private async analyzeOne(image: RgbImage): Promise<Measured> {
    const started = performance.now();
    const maps = await this.maps(image);
    const measured = performance.now();
    const t = this.thresholds;
    const measurement = measureFilterMaps(
      maps,
      {
        minTreadShare: t.min_tread_share,
        minResponse: t.min_response,
        maxResponse: t.max_response,
        minLengthShare: t.min_length_share,
        minRelativeScore: t.min_relative_score,
        minRibBalance: t.min_rib_balance,
        minContinuity: t.min_continuity,
        maxDarkness: t.max_darkness,
        maxWander: t.max_wander,
        minRubber: t.min_rubber,
        maxSpacingVariation: t.max_spacing_variation,
        minOverlap: t.min_overlap,
        minSpacingShare: t.min_spacing_share,
        minGrooves: t.min_grooves,
        maxConfidence: t.max_confidence,
      },
      {
        treadWidthMm: t.tread_width_mm,
        wallLightShare: t.wall_light_share,
        scale: t.depth_scale,
        offsetMm: t.depth_offset_mm,
        deepestMm: t.deepest_mm,
      },
    );
    const postMs = performance.now() - measured;
    const outcome = measurement ? ({ kind: 'tread', measurement } as const) : ({ kind: 'error', errorCode: 'tread_not_found' } as const);
    return { outcome, modelMs: measured - started, postMs };
  }
}
