import { Content } from '@tire/contracts/api';
import { median, rangeText, runBench } from '@tire/test-harness/bench';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import sharp from 'sharp';
import { assetIds } from '../src/page/facts/facts';
import { PdfThread } from '../src/pdf/pdf-thread';
import type { PdfImages } from '../src/pdf/images';
import { reportPdf } from '../src/pdf/report-pdf';

const ROOT = join(__dirname, '../../../..');
const WARM_UP_ROUNDS = 1;
const ROUNDS = 5;
const REPORTS = 8;
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

  const [words, all]: [Drawn[], Drawn[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    words.push(await drawn(() => reportPdf({ content, images: none })));
    all.push(await drawn(() => reportPdf({ content, images })));
  }
  const memory = await inThread(content, images);
  const [textsMs, imagesMs] = [words, all].map((rounds) => rounds.slice(WARM_UP_ROUNDS).map(({ meanMs }) => meanMs));
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  process.stdout.write(
    `CPU of a report: ${rangeText(textsMs!, ms)} without images (${words[0]!.kib} KiB), ` +
      `${rangeText(imagesMs!, ms)} with ${images.size} (${all[0]!.kib} KiB), the first one ${ms(words[0]!.firstMs)}; ${ROUNDS} rounds of ${REPORTS} in turn.\n` +
      `${REPORTS * ROUNDS} in a thread, ${AT_ONCE} at once: ${memory.threadMib.toFixed(0)} MiB more than before, ` +
      `the main thread late by ${memory.lateMs.toFixed(0)} ms at most.\n`,
  );
  if (median(textsMs!) > CPU_MS_MAX || memory.threadMib > THREAD_MIB_MAX) process.exitCode = 1;
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

interface Drawn {
  readonly firstMs: number;
  readonly meanMs: number;
  readonly kib: number;
}

async function drawn(draw: () => Promise<Buffer>): Promise<Drawn> {
  const before = process.cpuUsage();
  const { length } = await draw();
  const firstMs = cpuMs(before);
  for (let report = 1; report < REPORTS; report++) await draw();
  return { firstMs, meanMs: cpuMs(before) / REPORTS, kib: Math.round(length / 1_024) };
}

async function inThread(content: Content, images: PdfImages) {
  const thread = new PdfThread();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  let most = before;
  let left = REPORTS * ROUNDS;
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

runBench(main);
