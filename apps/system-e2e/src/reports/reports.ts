import type { CreateReportResponse, Report, ReportSlot, UploadTarget } from '@tire/contracts/api';
import { MODULE_TYPE, POSITIONS, slotId, type ImageType, type Position, type Slot } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../api/api';
import type { ImageHost } from '../images/image-host';
import { imageOf } from '../images/sample-images';

const MEASURED_WITHIN_MS = 180_000;

export interface Listed {
  module_type: typeof MODULE_TYPE;
  slot: Slot;
}

const listed =
  (image_type: ImageType) =>
  (position: Position): Listed => ({ module_type: MODULE_TYPE, slot: { position, image_type } });
export const tread = listed('tread');
export const sidewall = listed('sidewall');
export const TREADS = POSITIONS.map(tread);
export const SIDEWALLS = POSITIONS.map(sidewall);
export const EVERY_SLOT = [...TREADS, ...SIDEWALLS];
export const idsOf = (slots: readonly Listed[]): string[] => slots.map(({ slot }) => slotId(slot));

export const slotOf = (report: Report, { slot }: Listed): ReportSlot => {
  const found = report.slots.find(({ slot_id }) => slot_id === slotId(slot));
  if (!found) throw new Error(`The report has no slot ${slotId(slot)}`);
  return found;
};

/** images[] of a creation in customer URL mode. */
export const byAddress = (host: ImageHost, slots: readonly Listed[]) =>
  slots.map((entry) => ({ ...entry, source: { url: host.image(entry.slot) } }));

const NO_IMAGE = { bytes: new TextEncoder().encode('no image') };

/** The same, but some addresses serve unreadable files. */
export const withBroken = (host: ImageHost, good: readonly Listed[], broken: readonly Listed[], folder: string) => [
  ...byAddress(host, good),
  ...broken.map((entry) => ({ ...entry, source: { url: host.serve(`/${folder}/${slotId(entry.slot)}.jpg`, NO_IMAGE) } })),
];

export const targetOf = (targets: readonly UploadTarget[], { slot }: Listed): UploadTarget => {
  const target = targets.find((candidate) => isDeepStrictEqual({ ...candidate.slot }, { ...slot }));
  if (!target) throw new Error(`There is no upload target for ${slotId(slot)}`);
  return target;
};

/** PUTs to storage as a partner does; `null` sends no Cache-Control. */
export async function put(
  target: UploadTarget,
  bytes: Uint8Array<ArrayBuffer> = imageOf(target.slot),
  cacheControl: string | null = 'max-age=60',
): Promise<number> {
  const headers = { 'content-type': 'image/jpeg', ...(cacheControl === null ? {} : { 'cache-control': cacheControl }) };
  return (await fetch(target.upload_url, { method: 'PUT', headers, body: bytes })).status;
}

export const registration = ({ asset_id, module_type, slot }: UploadTarget) => ({ asset_id, module_type, slot });

/** Uploads an image to each target and registers it. */
export async function uploadImages(api: Api, report: string, targets: readonly UploadTarget[], query?: string) {
  await Promise.all(targets.map((target) => put(target)));
  return api.call('registerImages', { report, query, body: { images: targets.map(registration) } });
}

/** A report in Pre-Signed mode with images for these slots. */
export async function uploaded(
  api: Api,
  body: object,
  slots: readonly Listed[],
  headers?: Record<string, string>,
): Promise<CreateReportResponse & { targets: UploadTarget[] }> {
  const created = (await api.create(body, headers)).done;
  const targets = created.upload_targets ?? [];
  const wanted = slots.map((slot) => targetOf(targets, slot));
  if (wanted.length > 0) void (await uploadImages(api, created.report_id, wanted)).done;
  return { ...created, targets };
}

/** New targets for slots, as for a replacement image. */
export const freshTargets = async (api: Api, report: string, slots: readonly Listed[]): Promise<UploadTarget[]> =>
  (await api.call('createUploadTargets', { report, body: { slots } })).done.upload_targets;

export const reportThat = (
  api: Api,
  report: string,
  holds: (report: Report) => boolean,
  timeoutMs = MEASURED_WITHIN_MS,
): Promise<Report> => {
  let last: Report | undefined;
  const probe = async () => {
    last = await api.report(report);
    return holds(last) && last;
  };
  return eventually(probe, { timeoutMs }).catch((cause: unknown) => {
    const seen = last && [last.analysis_status, last.publication_status, last.summary_status];
    throw new Error(`Report ${report} is ${seen?.join(', ')}`, { cause });
  });
};

/** Waits until the analysis has ended and its consequences are visible. */
export function settled(api: Api, report: string, timeoutMs?: number): Promise<Report> {
  const isSettled = ({ analysis_status, publication_status, summary_status }: Report): boolean => {
    if (analysis_status === 'complete') return publication_status === 'published' && summary_status === 'complete';
    if (analysis_status === 'partial' || analysis_status === 'failed') {
      return summary_status === analysis_status && publication_status !== 'published';
    }
    return analysis_status === 'awaiting_images';
  };
  return reportThat(api, report, isSettled, timeoutMs);
}
