import { decodeMemoryBytes } from './decode-memory';
import { DecodeLane } from './decode-lane';
import type { DecodedImage, WantedImage } from './decode-protocol';
import { readImageHeader, type ImageHeader } from './image-header';
import { UnusableImage } from './unusable-image';
import { withoutText } from './without-png-text';

const MIB = 1024 * 1024;
/** Photographs of cameras and phones need less, except very large progressive ones. */
const LIGHT_MIB = 112;
/** An interlaced PNG of 60 megapixels and 16 bits, with transparency: the most that a valid image needs. */
const HEAVIEST_MIB = 640;
/** Beside the decode: Node, the file in three copies and the result. */
const PROCESS_MIB = 160;
const LIGHT_IDLE_MS = 600_000;
const HEAVY_IDLE_MS = 10_000;

export interface ImageDecoderOptions {
  /** An image whose decode may take more memory is refused. */
  readonly heaviestMib?: number;
}

/** What all decode processes of a service take at most. A service counts it against its limit in the chart. */
export const decodeProcessesMib = (heaviestMib = HEAVIEST_MIB): number => LIGHT_MIB + heaviestMib + 2 * PROCESS_MIB;

/**
 * The only place where originals are decoded. The header decides what memory a decode may take: what does not fit is refused. Decoding
 * happens in two processes that can be killed, one for the images of cameras and one for heavy images, so that those hold up nobody else.
 */
export class ImageDecoder {
  private readonly heaviestMib: number;
  private readonly light: DecodeLane;
  private readonly heavy: DecodeLane;

  constructor({ heaviestMib = HEAVIEST_MIB }: ImageDecoderOptions = {}) {
    this.heaviestMib = heaviestMib;
    this.light = new DecodeLane({ name: 'light', residentMib: LIGHT_MIB + PROCESS_MIB, idleMs: LIGHT_IDLE_MS });
    this.heavy = new DecodeLane({ name: 'heavy', residentMib: heaviestMib + PROCESS_MIB, idleMs: HEAVY_IDLE_MS });
  }

  /** Heavy images that are decoded or wait. They are decoded one after the other. */
  get heavyLoad(): number {
    return this.heavy.load;
  }

  isHeavy(bytes: Uint8Array): boolean {
    const header = readImageHeader(bytes);
    return header !== undefined && memoryMib(header) > LIGHT_MIB;
  }

  /** Rejects with UnusableImage, or with DecoderLost where the process of the decode was lost. */
  async decode(original: Uint8Array, wanted: WantedImage, signal: AbortSignal): Promise<DecodedImage> {
    const header = readImageHeader(original);
    if (!header) throw new UnusableImage('image_undecodable', 'neither a JPEG nor a PNG');
    const { widthPx, heightPx } = header;
    if (widthPx * heightPx > wanted.maxPixels) throw new UnusableImage('image_too_large');
    if (Math.min(widthPx, heightPx) < wanted.minShortSidePx) throw new UnusableImage('image_too_small');
    if (memoryMib(header) > this.heaviestMib) throw new UnusableImage('image_too_large', 'its decode takes too much memory');
    const lane = memoryMib(header) > LIGHT_MIB ? this.heavy : this.light;
    return lane.decode({ bytes: withoutText(original), wanted }, signal);
  }

  stop(): void {
    this.light.stop();
    this.heavy.stop();
  }
}

const memoryMib = (header: ImageHeader): number => decodeMemoryBytes(header) / MIB;
