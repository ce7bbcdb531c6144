import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const kib = (name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

/** Decodes one file to at most 1,600 pixels and reports the growth of the memory of this process. */
async function main(file: string): Promise<void> {
  sharp.cache(false);
  const bytes = readFileSync(file);
  writeFileSync('/proc/self/clear_refs', '5');
  const before = kib('VmRSS');
  await sharp(bytes, { limitInputPixels: 60_000_000, failOn: 'truncated', sequentialRead: true })
    .resize(1_600, 1_600, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
  process.send?.((kib('VmHWM') - before) * 1024);
  process.disconnect?.();
}

void main(process.argv[2]!);
