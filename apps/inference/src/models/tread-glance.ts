import { groovesOnTread } from '../domain/tread/grooves-on-tread';
import { tracedGrooves } from '../domain/tread/traced-grooves';
import { treadPixels, type TreadMaps } from '../domain/tread/tread-maps';
import { uprightFrame } from '../domain/tread/upright-frame';
import type { RgbImage } from '../imaging/decode';
import { Network } from './network';
import type { ExecutionOptions } from './providers';
import { loadRepository, verifyFiles } from './repository';
import { look, WHOLE } from './tread-look';

/** Half the pixels of a measurement, and half its time. */
const GLANCE_PX = 320;
/** All 21 photographs of treads reach it, and 5 of 224 close-ups of sidewalls cut from photographs: it decides only where no size is read. */
const MIN_IS_TREAD = 0.995;
/** Together with two grooves it makes a tread sure. None of these close-ups reaches both; 17 of the 21 photographs do. */
const SURELY_TREAD = 0.999;
const MIN_SHARE = 0.2;
const MIN_GROOVES = 2;
const GROOVES = { minScoreShare: 0.3, minScore: 0.75, minGroovePx: 120, minLengthShare: 0.35 };

/** Whether an image shows a tread. A close-up of a sidewall may be likely one: only parallel grooves make it sure. */
export type TreadGuess = 'surely' | 'likely' | 'unlikely';

/**
 * Estimates it with one run of the newest tread model in the repository of another model, on a small image. The network is loaded with the
 * first such image: few wheels need it, and a model is ready sooner and smaller without it.
 */
export class TreadGlance {
  private network: Promise<Network> | undefined;

  constructor(
    private readonly repository: string,
    private readonly execution: ExecutionOptions,
  ) {}

  async guess(image: RgbImage): Promise<TreadGuess> {
    const network = await this.loaded();
    if (!network) return 'unlikely';
    const [prediction] = await look(network, [{ image, view: WHOLE }], GLANCE_PX);
    return guessFrom(prediction!.maps);
  }

  /** Undefined without a usable tread model: its own worker reports what is wrong with it, and sidewalls are read without a glance. */
  private async loaded(): Promise<Network | undefined> {
    try {
      return await (this.network ??= this.load());
    } catch {
      this.network = undefined;
      return undefined;
    }
  }

  private async load(): Promise<Network> {
    const [model] = await loadRepository(this.repository, ['tire.tread']);
    await verifyFiles(model!);
    return Network.load(model!, 'tread', this.execution);
  }
}

export function guessFrom(maps: TreadMaps): TreadGuess {
  if (maps.isTread < MIN_IS_TREAD || treadPixels(maps).length < MIN_SHARE * maps.tread.data.length) return 'unlikely';
  if (maps.isTread < SURELY_TREAD) return 'likely';
  const { onTread, directionRad } = groovesOnTread(maps);
  const frame = uprightFrame(onTread.width, onTread.height, directionRad);
  return tracedGrooves(maps, onTread, frame, GROOVES).length >= MIN_GROOVES ? 'surely' : 'likely';
}
