import { POSITIONS, type Position } from '@tire/kernel';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageFile } from '../images/sample-images';

export interface Photographs {
  /** The imaginary car of the demo: its rear right tire is at the wear limit. */
  readonly worn: Readonly<Record<Position, string>>;
  /** Two of its tires, and the same two seen in a mirror: four tires far from the limit. */
  readonly good: Readonly<Record<Position, string>>;
  /** A wheel from its side in the place of a tread. */
  readonly bad: string;
}

const byPosition = (fileOf: (position: Position) => string) =>
  Object.fromEntries(POSITIONS.map((position) => [position, fileOf(position)])) as Record<Position, string>;

export async function photographs(folder: string): Promise<Photographs> {
  const worn = byPosition((position) => imageFile({ position, image_type: 'tread' }));
  const made = async (name: string, image: sharp.Sharp): Promise<string> => {
    const file = join(folder, `${name}.jpg`);
    await image.jpeg({ quality: 92 }).toFile(file);
    return file;
  };
  const [left, right] = await Promise.all([
    made('mirrored-left', sharp(worn.front_left).flop()),
    made('mirrored-right', sharp(worn.front_right).flop()),
  ]);
  const bad = imageFile({ position: 'front_left', image_type: 'sidewall' });
  return { worn, good: { front_left: worn.front_left, front_right: worn.front_right, rear_left: right, rear_right: left }, bad };
}
