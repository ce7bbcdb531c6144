import { join } from 'node:path';
import sharp from 'sharp';

const SAMPLES = join(__dirname, '../../../inference/assets/samples');
const NAMES = ['front_left', 'rear_left', 'rear_right', 'front_right'];

/** Eight photographs that differ, as sharp as a camera's: two parts of each sample of a tread. */
export const eightPhotos = (): Promise<Buffer[]> =>
  Promise.all(
    NAMES.flatMap((name) =>
      [0, 1].map((part) =>
        sharp(join(SAMPLES, `${name}.jpg`))
          .extract({ left: 0, top: part * 270, width: 1_080, height: 810 })
          .rotate(part * 180)
          .resize(960)
          .sharpen({ sigma: 1.5 })
          .jpeg({ quality: 88 })
          .toBuffer(),
      ),
    ),
  );
