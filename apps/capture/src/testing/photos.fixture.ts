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

const SANDBOX = join(__dirname, '../../../../libs/contracts/assets/sandbox');

/** Rendered wheels on different grounds, two of them upside down, so that none looks like another. */
async function fourWheels(): Promise<Buffer[]> {
  const grounds = await eightPhotos();
  return Promise.all(
    NAMES.map(async (name, i) => {
      const wheel = sharp(join(SANDBOX, `sidewall-${name.replace('_', '-')}.jpg`)).flip(i % 2 === 1);
      return sharp(grounds[2 * i]!)
        .resize(960, 720, { fit: 'cover' })
        .blur(12)
        .composite([{ input: await wheel.resize(720).sharpen({ sigma: 1.5 }).toBuffer(), left: 40 + 50 * i, top: 0 }])
        .jpeg({ quality: 88 })
        .toBuffer();
    }),
  );
}

/** A tread, its wheel, the next tread: in the order in which one walks round a car. */
export async function eightTires(): Promise<Buffer[]> {
  const [treads, wheels] = await Promise.all([eightPhotos(), fourWheels()]);
  return wheels.flatMap((wheel, i) => [treads[2 * i]!, wheel]);
}

/** What a person may point at instead: a wall of bricks, a wheel, and a tread far away. */
export async function badlyFramed(): Promise<{ readonly wall: Buffer; readonly wheel: Buffer; readonly far: Buffer }> {
  const [[wheel], tread] = await Promise.all([fourWheels(), sharp(join(SANDBOX, 'tread-front-right.jpg')).resize(720).toBuffer()]);
  const [width, height] = [960, 720];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const row = Math.floor(y / 48);
      const isJoint = y % 48 < 6 || (x + (row % 2) * 60) % 120 < 6;
      const shade = isJoint ? 1 : 0.55 + 0.1 * Math.sin(row * 12.9 + Math.floor((x + (row % 2) * 60) / 120) * 7.3);
      pixels.set([190 * shade, 150 * shade, 130 * shade], at);
    }
  const wall = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const far = await sharp(wall)
    .composite([{ input: tread, left: 120, top: 0 }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return { wall, wheel: wheel!, far };
}
