import type { ledgerApi } from '@tire/contracts/grpc';
import { orderAcross } from '@tire/kernel';
import type { Database, PromiseClient } from '@tire/platform';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { findReadable } from '../assets/asset.store';
import { readWhole, type ObjectStore } from '../object-store/object-store';

type Ledger = Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'listGaugeReadings'>;

interface ExportedGauge {
  /** Photographs in gauge.csv: each of their grooves was measured with the gauge. */
  readonly photographs: number;
  readonly grooves: number;
  /** Photographs of which only some grooves were measured with the gauge. They are in readings.csv only. */
  readonly incomplete: number;
  /** Their image is gone, or the place of their grooves is not known. */
  readonly skipped: number;
}

interface ExportSources {
  readonly objects: ObjectStore;
  readonly database: Database;
  readonly ledger: Ledger;
}

const GAUGE = 'file,groove,depth_mm';
const READINGS = 'file,groove,measured_mm,gauge_mm,report_id,slot_id';

/**
 * Writes the photographs of a project whose grooves people measured with a gauge, complete or not at all: `gauge.csv` is what `calibrate`
 * and `finetune.py` read, `readings.csv` has what was measured beside it. Names hold ids only. One photograph is in memory at once.
 */
export async function exportGauge(from: ExportSources, projectId: string, folder: string): Promise<ExportedGauge> {
  const part = join(dirname(resolve(folder)), `.${basename(resolve(folder))}.part`);
  await rm(part, { recursive: true, force: true });
  try {
    await mkdir(dirname(part), { recursive: true });
    await mkdir(part, { mode: 0o700 });
    const counts = await writeTreads(from, projectId, part);
    // Fails where the folder has files: an earlier export may hold photographs whose use was forbidden since.
    await rename(part, folder);
    return counts;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function writeTreads({ objects, database, ledger }: ExportSources, projectId: string, part: string): Promise<ExportedGauge> {
  const [gauge, readings] = [[GAUGE], [READINGS]];
  const counts = { photographs: 0, grooves: 0, incomplete: 0, skipped: 0 };
  for await (const tread of gaugedTreads(ledger, projectId)) {
    const asset = await findReadable(database, projectId, tread.assetId);
    const ordered = asset && acrossImage(tread, asset);
    const object = ordered ? await objects.open(asset.objectKey) : undefined;
    if (!ordered || !object) {
      counts.skipped += 1;
      continue;
    }
    const file = `${tread.assetId}.${asset.format === 'png' ? 'png' : 'jpg'}`;
    await writeFile(join(part, file), await readWhole(object));
    const numbered = ordered.map(({ measuredMm, gaugeMm }, index) => ({ groove: index + 1, measuredMm, gaugeMm }));
    readings.push(
      ...numbered.map(({ groove, measuredMm, gaugeMm }) =>
        [file, groove, measuredMm, gaugeMm ?? '', tread.reportId, tread.slotId].join(','),
      ),
    );
    if (numbered.some(({ gaugeMm }) => gaugeMm === undefined)) {
      counts.incomplete += 1;
      continue;
    }
    gauge.push(...numbered.map(({ groove, gaugeMm }) => `${file},${groove},${gaugeMm}`));
    counts.photographs += 1;
    counts.grooves += numbered.length;
  }
  await writeFile(join(part, 'gauge.csv'), `${gauge.join('\n')}\n`);
  await writeFile(join(part, 'readings.csv'), `${readings.join('\n')}\n`);
  return counts;
}

async function* gaugedTreads(ledger: Ledger, projectId: string): AsyncGenerator<ledgerApi.GaugedTread> {
  let cursor: string | undefined;
  do {
    const page = await ledger.listGaugeReadings({ projectId, cursor });
    yield* page.treads;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

interface ShownImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly orientation: number;
}

/** The grooves as a person counts them. Null where one has no outline. */
function acrossImage({ grooves }: ledgerApi.GaugedTread, { widthPx, heightPx, orientation }: ShownImage): ledgerApi.GaugedGroove[] | null {
  const places = grooves.flatMap(({ place }) => place ?? []);
  if (places.length < grooves.length) return null;
  return orderAcross(places, { width: widthPx, height: heightPx, orientation }).map((index) => grooves[index]!);
}
