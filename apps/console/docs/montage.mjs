// Lays the pictures that the walks took side by side: node apps/console/docs/montage.mjs FOLDER, where SCREENSHOTS was FOLDER.
// The pages stand in the order in which somebody meets them; what a walk took beside them is left out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const PAGES = [
  ...['sign-in', 'sign-in-code', 'invitation', 'projects', 'reports', 'report', 'report-by-hand', 'report-partial', 'report-upload'],
  ...['report-reissue', 'report-discard', 'vehicle', 'report-new', 'photographs-none', 'photographs-sending', 'photographs-bad'],
  ...['photographs-done', 'manual', 'manual-unusual', 'keys', 'key-new', 'key-issued', 'key-revoke', 'webhooks', 'webhook-secret'],
  ...['delivery', 'usage', 'members', 'audit-log', 'account', 'codes', 'missing'],
];
const GAP_PX = 12;
const LAYOUTS = {
  1280: { columns: 5, widthPx: 400, heightPx: 250 },
  360: { columns: 10, widthPx: 180, heightPx: 400 },
};

const folder = process.argv[2];
for (const [width, { columns, widthPx, heightPx }] of Object.entries(LAYOUTS))
  for (const scheme of ['light', 'dark']) {
    const files = PAGES.map((page) => join(folder, `${page}-${width}-${scheme}.png`)).filter((file) => existsSync(file));
    const place = (index, sizePx) => GAP_PX + index * (sizePx + GAP_PX);
    const pictures = files.map(async (file, index) => ({
      input: await sharp(file).resize(widthPx, heightPx).png().toBuffer(),
      left: place(index % columns, widthPx),
      top: place(Math.floor(index / columns), heightPx),
    }));
    const size = { width: place(columns, widthPx), height: place(Math.ceil(files.length / columns), heightPx) };
    await sharp({ create: { ...size, channels: 3, background: '#c9d1da' } })
      .composite(await Promise.all(pictures))
      .webp({ quality: 72, effort: 6 })
      .toFile(join(import.meta.dirname, `pages-${width}-${scheme}.webp`));
  }
