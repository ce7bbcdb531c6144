import { POSITIONS, type Position } from '@tire/kernel';
import type { CreateReportResponse, Report, ReportSlot } from '@tire/contracts/api';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { upload, type PartnerClient } from './client';
import { measured } from './measurement-table';

const IMAGE_FILE = /\.(jpe?g|png)$/i;
const POLL_MS = 250;
/** Without a result of any of its photographs for so long, a report is given up. */
const QUIET_MS = 120_000;

/** The files of one report, each with its tire. */
type Tires = ReadonlyMap<Position, string>;

interface Line {
  readonly file: string;
  /** The result, or why there is none. */
  readonly text: string;
  readonly isMeasured: boolean;
}

/** Measures each photograph of a folder as a tread and as a sidewall: the result shows which of the two it is. Yields a line when its file has ended. */
export async function* measuredImages(client: PartnerClient, folder: string): AsyncGenerator<string> {
  const files = (await readdir(folder)).filter((file) => IMAGE_FILE.test(file)).sort();
  if (files.length === 0) throw new Error(`${folder} holds no photograph: JPEG or PNG, .jpg, .jpeg or .png`);
  let count = 0;
  for (let first = 0; first < files.length; first += POSITIONS.length) {
    const few = files.slice(first, first + POSITIONS.length);
    for await (const { file, text, isMeasured } of linesOf(client, folder, few)) {
      count += isMeasured ? 1 : 0;
      yield `    ${file.padEnd(26)} ${text}`;
    }
  }
  yield `    ${count} of ${files.length} photographs measured`;
}

/** One report for up to four photographs. What goes wrong with one of them, or with the report, is a line and no end of all. */
async function* linesOf(client: PartnerClient, folder: string, files: readonly string[]): AsyncGenerator<Line> {
  const failed = (file: string, error: unknown): Line => ({ file, text: `failed: ${messageOf(error)}`, isMeasured: false });
  let created: CreateReportResponse;
  try {
    created = await client.create({ plate_number: '56다 7890' });
  } catch (error) {
    for (const file of files) yield failed(file, error);
    return;
  }
  const waiting = new Map<Position, string>();
  for (const [index, file] of files.entries()) {
    const position = POSITIONS[index]!;
    try {
      await register(client, created, position, new Uint8Array(await readFile(join(folder, file))));
      waiting.set(position, file);
    } catch (error) {
      yield failed(file, error);
    }
  }
  try {
    yield* resultsOf(client, created.report_id, waiting);
  } catch (error) {
    for (const file of waiting.values()) yield failed(file, error);
  }
}

/** The photograph as the tread and as the sidewall of a tire. */
async function register(
  client: PartnerClient,
  { report_id, upload_targets = [] }: CreateReportResponse,
  position: Position,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const targets = upload_targets.filter(({ slot }) => slot.position === position);
  await Promise.all(targets.map((target) => upload(target, [{ slot: target.slot, path: '/', bytes }])));
  const images = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await client.json('POST', `/reports/${report_id}/images`, { images });
}

/** Takes files from `waiting` as their slots end. */
async function* resultsOf(client: PartnerClient, reportId: string, waiting: Map<Position, string>): AsyncGenerator<Line> {
  let quietSinceMs = performance.now();
  while (waiting.size > 0) {
    const report = await client.report(reportId);
    for (const [position, file] of ended(report, waiting)) {
      waiting.delete(position);
      quietSinceMs = performance.now();
      yield { file, ...resultOf(report, position) };
    }
    if (performance.now() - quietSinceMs > QUIET_MS) throw new Error(`no result within ${QUIET_MS / 1_000} s`);
    if (waiting.size > 0) await pause(POLL_MS);
  }
}

const slotsOf = ({ slots }: Report, position: Position): ReportSlot[] => slots.filter(({ slot }) => slot.position === position);

const ended = (report: Report, waiting: Tires): [Position, string][] =>
  [...waiting].filter(([position]) => slotsOf(report, position).every(({ status }) => status !== 'pending'));

/** What was measured; without a measurement, both errors. */
function resultOf(report: Report, position: Position): Pick<Line, 'text' | 'isMeasured'> {
  const slots = slotsOf(report, position).sort((a, b) => b.slot.image_type.localeCompare(a.slot.image_type));
  const shown = slots.filter(({ analysis }) => analysis.result && !analysis.error);
  return {
    text: (shown.length > 0 ? shown : slots).map(measured).join('; '),
    isMeasured: shown.some(({ analysis }) => analysis.quality?.recognized),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
