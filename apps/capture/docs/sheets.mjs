// Combines the screenshots of the browser tests, which ran with SCREENSHOTS=FOLDER: node apps/capture/docs/sheets.mjs FOLDER
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const STATES = [
  ...[
    'welcome',
    'welcome-korean',
    'slot-tread',
    'slot-sidewall',
    'camera-tread',
    'camera-sidewall',
    'camera-hint',
    'camera-no-tire',
    'camera-refused',
  ],
  ...['bad-file', 'same-photo', 'sending', 'offline', 'offline-reload', 'memory-only', 'two-phones', 'answer-again', 'answer-better'],
  ...['all-good', 'summary', 'done', 'ended', 'unknown'],
];
const [WIDTH, HEIGHT, GAP, IN_ROW] = [252, 518, 12, 7];

const folder = process.argv[2];

for (const scheme of ['light', 'dark']) {
  const files = STATES.map((state) => join(folder, `${state}-${scheme}.png`));
  for (const file of files) if (!existsSync(file)) throw new Error(`There is no ${file}`);
  const pictures = await Promise.all(files.map((file) => sharp(file).resize(WIDTH, HEIGHT, { fit: 'fill' }).png().toBuffer()));
  const at = (place, size) => GAP + place * (size + GAP);
  await sharp({
    create: {
      width: GAP + IN_ROW * (WIDTH + GAP),
      height: GAP + Math.ceil(STATES.length / IN_ROW) * (HEIGHT + GAP),
      channels: 3,
      background: '#808890',
    },
  })
    .composite(pictures.map((input, i) => ({ input, left: at(i % IN_ROW, WIDTH), top: at(Math.floor(i / IN_ROW), HEIGHT) })))
    .webp({ quality: 70, effort: 6 })
    .toFile(join(import.meta.dirname, `states-${scheme}.webp`));
}
