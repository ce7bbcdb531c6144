import sharp from 'sharp';

export type Colour = readonly [number, number, number];

/** Paints linear light per pixel and encodes it as an sRGB JPEG. */
export async function paint(width: number, height: number, shade: (x: number, y: number) => Colour, quality: number): Promise<Buffer> {
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = shade(x, y);
      for (let c = 0; c < 3; c++) rgb[(y * width + x) * 3 + c] = Math.round(255 * Math.min(1, Math.max(0, colour[c]!)) ** (1 / 2.2));
    }
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
