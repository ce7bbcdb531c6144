import { Content } from '@tire/contracts/api';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import sharp from 'sharp';
import { assetIds } from '../src/page/facts/facts';
import { PdfThread } from '../src/pdf/pdf-thread';
import type { PdfImages } from '../src/pdf/images';
import { reportPdf } from '../src/pdf/report-pdf';

const ROOT = join(__dirname, '../../../..');
const WARM_UP = 10;
const REPORTS = 40;
const AT_ONCE = 4;
const CPU_MS_MAX = 150;
const THREAD_MIB_MAX = 160;

/** The cost of drawing a report, and the delay of pages meanwhile. */
async function main(): Promise<void> {
  const content = Content.parse(JSON.parse(readFileSync(join(ROOT, 'apps/content/src/domain/goldens/wear-every-pattern.json'), 'utf8')));
  const { data, info } = await sharp(join(ROOT, 'apps/inference/models/tread/golden.jpg'))
    .resize(480, 480, { fit: 'inside' })
    .jpeg({ quality: 80 })
    .toBuffer({ resolveWithObject: true });
  const image = { jpeg: data, orientation: 1, widthPx: info.width, heightPx: info.height };
  const images: PdfImages = new Map(assetIds(content).map((assetId) => [assetId, image]));
  const none: PdfImages = new Map();

  const words = await cost(() => reportPdf({ content, images: none }));
  const all = await cost(() => reportPdf({ content, images }));
  const memory = await inThread(content, images);
  process.stdout.write(
    `CPU of a report: ${words.cpuMs.toFixed(0)} ms without images (${words.kib} KiB), ` +
      `${all.cpuMs.toFixed(0)} ms with ${images.size} (${all.kib} KiB), the first one ${words.firstMs.toFixed(0)} ms; mean of ${REPORTS}.\n` +
      `${REPORTS} in a thread, ${AT_ONCE} at once: ${memory.threadMib.toFixed(0)} MiB more than before, ` +
      `the main thread late by ${memory.lateMs.toFixed(0)} ms at most.\n`,
  );
  if (words.cpuMs > CPU_MS_MAX || memory.threadMib > THREAD_MIB_MAX) process.exitCode = 1;
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

async function cost(draw: () => Promise<Buffer>) {
  const first = process.cpuUsage();
  const { length } = await draw();
  const firstMs = cpuMs(first);
  for (let round = 0; round < WARM_UP; round++) await draw();
  const before = process.cpuUsage();
  for (let round = 0; round < REPORTS; round++) await draw();
  return { cpuMs: cpuMs(before) / REPORTS, kib: Math.round(length / 1_024), firstMs };
}

async function inThread(content: Content, images: PdfImages) {
  const thread = new PdfThread();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  let most = before;
  let left = REPORTS;
  delay.enable();
  const drawer = async () => {
    while (left-- > 0) {
      await thread.draw({ kind: 'report', input: { content, images } });
      most = Math.max(most, process.memoryUsage.rss());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drawer));
  delay.disable();
  await thread.stop();
  return { threadMib: (most - before) / 1_048_576, lateMs: delay.max / 1e6 };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
