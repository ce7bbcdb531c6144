import { foreignFiles } from './foreign';
import type { HostileImage } from './hostile-image';
import { hostileJpegs } from './jpegs';
import { hostilePngs } from './pngs';

export type { HostileImage } from './hostile-image';

/** Images that attack a decoder, and files that are not images, each with its only correct verdict. */
export const hostileImages = (): HostileImage[] => [...hostileJpegs(), ...hostilePngs(), ...foreignFiles()];
