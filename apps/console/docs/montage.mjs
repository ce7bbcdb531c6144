// Combines the screenshots of the browser tests, which ran with SCREENSHOTS=FOLDER: node apps/console/docs/montage.mjs FOLDER
// Writes one sheet for each part of the console and each width. Each page is shown in light mode and beside it in dark mode.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const SHEETS = {
  'signing-in': ['sign-in', 'sign-in-code', 'sign-in-recovery', 'invitation', 'invitation-account', 'session-ending', 'missing'],
  organization: ['projects', 'projects-empty', 'members', 'member-role', 'organization-rename', 'audit-log', 'organization-usage', 'menu'],
  account: ['account', 'codes', 'recovery-codes', 'account-of-a-provider', 'first-password'],
  vehicles: ['vehicles', 'passport', 'passport-merge'],
  branches: ['branches-empty', 'branch-new', 'branches'],
  developers: ['developers', 'keys', 'key-new', 'key-issued', 'key-revoke', 'requests', 'requests-empty'],
  webhooks: ['webhooks-empty', 'webhook-secret', 'webhook-rotate', 'webhooks', 'delivery', 'delivery-again'],
  usage: ['usage', 'usage-empty'],
  customers: [
    ...['customer-edit', 'customer', 'customer-shown', 'customer-masked', 'customers', 'send-ask-ko', 'send-ko', 'send-en'],
    ...['templates', 'template-preview'],
  ],
  mail: ['forgotten-password-ko', 'forgotten-password-sent-ko', 'reset-password-ko', 'reset-password-gone', 'invitation-mailed'],
};
const GAP_PX = 16;
/** The scale of a screenshot, the height that is shown of a long page, and the number of pages in a row. */
const LAYOUTS = {
  1280: { scale: 0.6, heightPx: 1_100, pagesInRow: 1 },
  360: { scale: 0.8, heightPx: 1_200, pagesInRow: 3 },
};

const folder = process.argv[2];

async function screenshot(file, { scale, heightPx }) {
  const { width, height } = await sharp(file).metadata();
  const shown = sharp(file).extract({ left: 0, top: 0, width, height: Math.min(height, heightPx) });
  const { data, info } = await sharp(await shown.png().toBuffer())
    .resize(Math.round(width * scale))
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

/** Each row is as high as its highest screenshot. */
function placed(rows) {
  let top = GAP_PX;
  const all = rows.flatMap((row) => {
    const at = row.map((one, index) => ({ ...one, top, left: GAP_PX + index * (one.width + GAP_PX) }));
    top += Math.max(...row.map(({ height }) => height)) + GAP_PX;
    return at;
  });
  return { all, width: Math.max(...all.map(({ left, width }) => left + width)) + GAP_PX, height: top };
}

for (const [sheet, pages] of Object.entries(SHEETS))
  for (const [width, layout] of Object.entries(LAYOUTS)) {
    const files = pages.flatMap((page) => ['light', 'dark'].map((scheme) => join(folder, `${page}-${width}-${scheme}.png`)));
    const found = files.filter((file) => existsSync(file));
    for (const file of files) if (!found.includes(file)) console.error(`There is no ${file}`);
    if (found.length === 0) continue;
    const screenshots = await Promise.all(found.map((file) => screenshot(file, layout)));
    const inRow = 2 * layout.pagesInRow;
    const rows = Array.from({ length: Math.ceil(screenshots.length / inRow) }, (_, row) =>
      screenshots.slice(row * inRow, (row + 1) * inRow),
    );
    const { all, ...size } = placed(rows);
    await sharp({ create: { ...size, channels: 3, background: '#c9d1da' } })
      .composite(all.map(({ input, top, left }) => ({ input, top, left })))
      .webp({ quality: 60, effort: 6 })
      .toFile(join(import.meta.dirname, `${sheet}-${width}.webp`));
  }
