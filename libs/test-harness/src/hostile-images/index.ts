import { foreignFiles } from './foreign';
import type { HostileImage } from './hostile-image';
import { hostileJpegs } from './jpegs';
import { hostilePngs } from './pngs';

export type { HostileImage } from './hostile-image';

/** Images made to harm who reads them, and files that are none, each with the only right answer to it. */
export const hostileImages = (): HostileImage[] => [...hostileJpegs(), ...hostilePngs(), ...foreignFiles()];
