import { create, type Font } from 'fontkit';
import { readFileSync } from 'node:fs';

// The last glyph of these fonts is empty, and fontkit reads a header of ten bytes at its offset: behind the end of the file.
const AFTER_THE_END = Buffer.alloc(16);

function load(file: string): Font {
  const font = create(Buffer.concat([readFileSync(file), AFTER_THE_END]));
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`);
  return font;
}

/** Parsed once. The next report reuses glyphs and widths, which saves a third of the CPU of a report. */
export const FONT_FILES = {
  regular: load(require.resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf')),
  bold: load(require.resolve('@expo-google-fonts/nanum-gothic/700Bold/NanumGothic_700Bold.ttf')),
};
