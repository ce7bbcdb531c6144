import { frameOf, type Frame } from '../hints/frame';
import type { Looks } from '../hints/hints';
import { SQUARE_PX } from '../framing/square';
import { PART_PX, PARTS, SMALL_LONG_SIDE_PX } from '../hints/parts';
import { hashOf } from '../hints/same-photo';
import { motionBetween } from '../hints/texture';
import { newCanvas, release, type Canvas } from '../photo/prepare';

/** What the pixels tell. */
type Seen = Pick<Looks, 'small' | 'parts' | 'longSidePx' | 'motion' | 'hash'>;

/** Takes from the video what the hints need: few pixels, so that an old phone has time for the live picture. */
export class VideoLooks {
  private small: Canvas | null = null;
  private readonly part = newCanvas(PART_PX, PART_PX, true);
  private square: Canvas | null = null;
  private before: Frame | null = null;

  /** Null while the video has no picture yet. */
  take(video: HTMLVideoElement): Seen | null {
    const { videoWidth: width, videoHeight: height } = video;
    if (width === 0 || height === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
    const small = this.smallFrom(video, width, height);
    const motion = this.before?.luma.length === small.luma.length ? motionBetween(this.before, small) : null;
    this.before = small;
    return {
      ...{ small, motion, longSidePx: Math.max(width, height) },
      parts: PARTS.map(([x, y]) => this.partFrom(video, x * width, y * height)),
      hash: hashOf(small),
    };
  }

  /** The middle of the picture, which holds the whole outline, for the network. */
  middleOf(video: HTMLVideoElement): ImageData {
    const { videoWidth: width, videoHeight: height } = video;
    const side = Math.min(width, height);
    this.square ??= newCanvas(SQUARE_PX, SQUARE_PX, true);
    const { context } = this.square;
    context.drawImage(video, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SQUARE_PX, SQUARE_PX);
    return context.getImageData(0, 0, SQUARE_PX, SQUARE_PX);
  }

  private smallFrom(video: HTMLVideoElement, width: number, height: number): Frame {
    const scale = SMALL_LONG_SIDE_PX / Math.max(width, height);
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    // The phone may have been turned.
    if (this.small?.canvas.width !== across || this.small.canvas.height !== down) {
      if (this.small) release(this.small);
      this.small = newCanvas(across, down, true);
    }
    return pixels(this.small, (context) => context.drawImage(video, 0, 0, across, down));
  }

  private partFrom(video: HTMLVideoElement, x: number, y: number): Frame {
    const [left, top] = [x - PART_PX / 2, y - PART_PX / 2];
    return pixels(this.part, (context) => context.drawImage(video, left, top, PART_PX, PART_PX, 0, 0, PART_PX, PART_PX));
  }
}

function pixels({ canvas, context }: Canvas, draw: (context: CanvasRenderingContext2D) => void): Frame {
  draw(context);
  return frameOf(context.getImageData(0, 0, canvas.width, canvas.height));
}
