import { Content } from '@tire/contracts/api';
import { changedImages, hostileImages, sampled } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { assetIds } from '../page/facts/facts';
import type { ReportReader } from '../page/report.reader';
import { ImageReader } from '../pdf/image.reader';
import { PdfThread } from '../pdf/pdf-thread';

export interface HostilePdfs {
  readonly images: number;
  readonly embedded: number;
  readonly failed: readonly string[];
  readonly peakMib: number;
}

const GOLDEN = join(__dirname, '../../../content/src/domain/goldens/template-4t-4s.json');
const KIB_PER_MIB = 1_024;
/** `npm run test:long` takes all. */
const EVERY = 4;
/** Each takes 15 s at most. */
const BLANKS_MAX = 8;

function* allImages(changed: number): Generator<Buffer> {
  for (const { make } of sampled(hostileImages(), EVERY)) yield make();
  for (const { bytes } of changedImages(changed)) yield bytes;
}

const peakMib = (): number => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / KIB_PER_MIB;

/** Draws reports whose derivatives are hostile images, as the service reads and draws them. */
async function main(changed: number): Promise<void> {
  const content = Content.parse(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  const ids = [...new Set(assetIds(content))];
  const stored = new Map<string, Buffer>();
  const store = createServer((request, response) => void response.end(stored.get(request.url!.slice(1))));
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const facts = { thumbnailUrl: '', orientation: 1, widthPx: 480, heightPx: 360 };
  const signed = async (_link: unknown, shown: readonly string[]) =>
    new Map(shown.map((assetId) => [assetId, { ...facts, smallUrl: `${origin}/${assetId}` }]));
  const reader = new ImageReader({ images: signed } as unknown as ReportReader);
  const thread = new PdfThread();
  // The thread compiles this code first, which may take longer than a drawing may.
  const blank = () => thread.draw({ kind: 'report', input: { content, images: new Map() } });
  for (let failures = 1; !(await blank().catch(() => false)); failures += 1) if (failures === BLANKS_MAX) await blank();
  const failed: string[] = [];
  let [images, embedded] = [0, 0];
  const source = allImages(changed);
  for (let next = source.next(); !next.done;) {
    stored.clear();
    for (const id of ids) {
      if (next.done) break;
      stored.set(id, next.value);
      images += 1;
      next = source.next();
    }
    const read = await reader.read({ projectId: 'project', hasEndedImages: false }, content);
    embedded += read.size;
    const pdf = await thread.draw({ kind: 'report', input: { content, images: read } }).catch((error: Error) => error.message);
    if (typeof pdf === 'string' || pdf.subarray(0, 5).toString() !== '%PDF-') failed.push(`up to image ${images}: ${String(pdf)}`);
  }
  const end: HostilePdfs = { images, embedded, failed, peakMib: peakMib() };
  process.send?.(end);
  await thread.stop();
  store.closeAllConnections();
  store.close();
  process.disconnect?.();
}

void main(Number(process.argv[2]));
