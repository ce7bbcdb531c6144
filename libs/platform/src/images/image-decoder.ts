import { rmSync } from 'node:fs';
import { decodeMemoryBytes } from './decode-memory';
import { DecodeLane, KEPT_SHARE } from './decode-lane';
import type { Decoded, DecodedImage, EncodedPng, ToDecoder, WantedCopy, WantedImage, WantedPng, WrittenImage } from './decode-protocol';
import { readImageHeader, type ImageHeader } from './image-header';
import { UnusableImage } from './unusable-image';
import { withoutText } from './without-png-text';

const MIB = 1024 * 1024;
/** Photographs of cameras and phones need less, except very large progressive ones. */
const LIGHT_MIB = 112;
/** An interlaced PNG of 60 megapixels and 16 bits, with transparency: the most that a valid image needs. */
const HEAVIEST_MIB = 640;
/** Memory beside the decode: Node, the file in three copies and the result. */
const PROCESS_MIB = 160;
const LIGHT_IDLE_MS = 600_000;
const HEAVY_IDLE_MS = 10_000;
const never = new AbortController().signal;

/** Requests come before heavy images. */
const HEAVY_NICENESS = 10;

export interface ImageDecoderOptions {
  /** An image whose decode may take more memory is refused. */
  readonly heaviestMib?: number;
  /** The priority of all decodes: 0 is the priority of the service, 19 is last. */
  readonly niceness?: number;
}

const LIGHT_PROCESS_MIB = LIGHT_MIB + PROCESS_MIB;
const heavyProcessMib = (heaviestMib: number): number => heaviestMib + PROCESS_MIB;

/** The most memory that both decode processes of a service take. It counts against the service's limit in the chart. */
export const decodeProcessesMib = (heaviestMib = HEAVIEST_MIB): number => LIGHT_PROCESS_MIB + heavyProcessMib(heaviestMib);

/** The same where the service decodes one image at once: the process of light images rests beside a heavy one. */
export const decodeProcessesOfOneMib = (heaviestMib: number): number => KEPT_SHARE * LIGHT_PROCESS_MIB + heavyProcessMib(heaviestMib);

/**
 * The only place where originals are decoded. The header decides what memory a decode may take: what does not fit is refused. Decoding
 * happens in two processes that can be killed, one for the images of cameras and one for heavy images, so that heavy images do not delay others.
 */
export class ImageDecoder {
  private readonly heaviestMib: number;
  private readonly light: DecodeLane;
  private readonly heavy: DecodeLane;

  constructor({ heaviestMib = HEAVIEST_MIB, niceness = 0 }: ImageDecoderOptions = {}) {
    this.heaviestMib = heaviestMib;
    this.light = new DecodeLane({ niceness, residentMib: LIGHT_PROCESS_MIB, idleMs: LIGHT_IDLE_MS });
    this.heavy = new DecodeLane({
      niceness: Math.max(niceness, HEAVY_NICENESS),
      residentMib: heavyProcessMib(heaviestMib),
      idleMs: HEAVY_IDLE_MS,
    });
  }

  isHeavy(bytes: Uint8Array): boolean {
    const header = readImageHeader(bytes);
    return header !== undefined && memoryMib(header) > LIGHT_MIB;
  }

  /** Rejects with UnusableImage, or with DecoderLost or DecoderKilled where the process of the decode ended. */
  async decode(bytes: Uint8Array, wanted: WantedImage, signal: AbortSignal = never): Promise<DecodedImage> {
    const decoded = await this.run({ bytes, wanted }, signal);
    if (decoded.kind !== 'pixels') throw new Error('The process that decodes sent no pixels');
    return decoded.image;
  }

  /** The pixels go into a new file, or into memory where it cannot be written. Rejects as `decode` does, and leaves no file then. */
  async decodeTo(file: string, bytes: Uint8Array, wanted: WantedImage, signal: AbortSignal = never): Promise<DecodedImage | WrittenImage> {
    const decoded = await this.run({ bytes, wanted, file }, signal).catch((error: unknown) => {
      rmSync(file, { force: true });
      throw error;
    });
    if (decoded.kind === 'pixels') return decoded.image;
    if (decoded.kind !== 'written') throw new Error('The process that decodes sent no pixels');
    const { width, height, orientation } = decoded.image;
    return { width, height, orientation, file };
  }

  /** Copies in the order of `copies`, from one decode, none larger than the wanted image. Rejects as `decode` does. */
  async copies(bytes: Uint8Array, wanted: WantedImage, copies: readonly WantedCopy[]): Promise<Uint8Array[]> {
    const decoded = await this.run({ bytes, wanted, copies }, never);
    if (decoded.kind !== 'copies') throw new Error('The process that decodes sent no copies');
    return decoded.copies;
  }

  /** One PNG inside the sides of `png`. Rejects as `decode` does. */
  async png(bytes: Uint8Array, wanted: WantedImage, png: WantedPng): Promise<EncodedPng> {
    const decoded = await this.run({ bytes, wanted, png }, never);
    if (decoded.kind !== 'png') throw new Error('The process that decodes sent no PNG');
    return decoded.png;
  }

  stop(): void {
    this.light.stop();
    this.heavy.stop();
  }

  private async run(work: ToDecoder, signal: AbortSignal): Promise<Decoded> {
    const header = readImageHeader(work.bytes);
    if (!header) throw new UnusableImage('image_undecodable', 'neither a JPEG nor a PNG');
    const { widthPx, heightPx } = header;
    if (widthPx * heightPx > work.wanted.maxPixels) throw new UnusableImage('image_too_large');
    if (Math.min(widthPx, heightPx) < work.wanted.minShortSidePx) throw new UnusableImage('image_too_small');
    if (memoryMib(header) > this.heaviestMib) throw new UnusableImage('image_too_large', 'its decode takes too much memory');
    const lane = memoryMib(header) > LIGHT_MIB ? this.heavy : this.light;
    return lane.decode({ ...work, bytes: withoutText(work.bytes) }, signal);
  }
}

const memoryMib = (header: ImageHeader): number => decodeMemoryBytes(header) / MIB;
