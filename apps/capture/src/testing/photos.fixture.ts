import { join } from 'node:path';
import sharp from 'sharp';

const SAMPLES = join(__dirname, '../../../inference/assets/samples');
const NAMES = ['front_left', 'rear_left', 'rear_right', 'front_right'];

/** Eight photographs that differ: two parts of each sample of a tread. */
export const eightPhotos = (): Promise<Buffer[]> =>
  Promise.all(
    NAMES.flatMap((name) =>
      [0, 1].map((part) =>
        sharp(join(SAMPLES, `${name}.jpg`))
          .extract({ left: part * 280, top: part * 300, width: 800, height: 760 })
          .rotate(part * 180)
          .jpeg({ quality: 88 })
          .toBuffer(),
      ),
    ),
  );
