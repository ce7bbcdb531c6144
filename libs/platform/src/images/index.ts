export { decodeMemoryBytes } from './decode-memory';
export { type ImageHeader, readImageHeader } from './image-header';
export { withoutText } from './without-png-text';
