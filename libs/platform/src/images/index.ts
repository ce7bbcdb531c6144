export { decodeMemoryBytes } from './decode-memory';
export { DecoderKilled, DecoderLost } from './decode-lane';
export type { DecodedImage, WantedCopy, WrittenImage } from './decode-protocol';
export { decodeProcessesMib, decodeProcessesOfOneMib, ImageDecoder } from './image-decoder';
export { type ImageHeader, readImageHeader } from './image-header';
export { UnusableImage } from './unusable-image';
export { withoutText } from './without-png-text';
