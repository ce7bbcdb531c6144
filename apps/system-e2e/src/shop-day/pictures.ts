import sharp from 'sharp';
import type { Device } from './hands';

export interface Picture {
  readonly name: string;
  readonly language: string;
  readonly device: Device;
  readonly colorScheme: 'light' | 'dark';
  readonly image: Buffer;
}

const GAP_PX = 16;
const COLUMNS: Readonly<Record<Device, number>> = { desktop: 2, phone: 4 };
const CELL_PX: Readonly<Record<Device, { readonly width: number; readonly height: number }>> = {
  desktop: { width: 760, height: 475 },
  phone: { width: 330, height: 714 },
};
const BACKGROUND = '#c9d1da';

/** One image with the pictures of a morning, in the order in which they were taken. */
export async function montage(pictures: readonly Picture[], device: Device): Promise<Buffer> {
  const [columns, cell] = [COLUMNS[device], CELL_PX[device]];
  const scaled = await Promise.all(
    pictures.map(async ({ image }) =>
      sharp(image)
        .resize({ ...cell, fit: 'inside' })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const rows = Array.from({ length: Math.ceil(scaled.length / columns) }, (_, row) => scaled.slice(row * columns, (row + 1) * columns));
  let top = GAP_PX;
  const placed = rows.flatMap((row) => {
    const at = row.map(({ data }, index) => ({ input: data, top, left: GAP_PX + index * (cell.width + GAP_PX) }));
    top += Math.max(...row.map(({ info }) => info.height)) + GAP_PX;
    return at;
  });
  const width = GAP_PX + columns * (cell.width + GAP_PX);
  return sharp({ create: { width, height: top, channels: 3, background: BACKGROUND } })
    .composite(placed)
    .webp({ quality: 68, effort: 6 })
    .toBuffer();
}
