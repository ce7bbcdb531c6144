import type { RegisterImagesResponse, UploadTarget, UploadTargetsResponse } from '@tire/contracts';
import { ApiError, call } from './client';

export type Slot = UploadTarget['slot'];

/** What the interface takes. */
export const PHOTOGRAPH_TYPES: readonly string[] = ['image/jpeg', 'image/png'];
const PHOTOGRAPH_BYTES_MAX = 20 * 1_024 * 1_024;
/** A target of a page that was open for long is not worth a try in its last minute. */
const TARGET_LEFT_MS = 60_000;
/** For so long no byte has moved: the connection is gone, and nobody said so. */
const STALL_MS = 30_000;
const MODULE_TYPE = 'tire';

interface Sending {
  /** Of the bytes that are to be sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

const refusal = (param: 'photograph_type' | 'photograph_size' | 'photograph_empty', message: string): ApiError =>
  new ApiError(422, 'validation_error', message, param);

/** What the service would refuse after the upload is refused before it; `param` says why. */
export function checkPhotograph({ type, size }: File): void {
  if (!PHOTOGRAPH_TYPES.includes(type)) throw refusal('photograph_type', 'A photograph is a JPEG or a PNG.');
  if (size === 0) throw refusal('photograph_empty', 'The file is empty.');
  if (size > PHOTOGRAPH_BYTES_MAX) throw refusal('photograph_size', 'A photograph has 20 MB at most.');
}

/** Straight to the storage. Not by fetch, which does not tell how far it is. */
function put({ upload_url, required_headers }: UploadTarget, file: File, { onProgress, signal }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stalled: number | undefined;
    const moved = () => {
      window.clearTimeout(stalled);
      stalled = window.setTimeout(() => request.abort(), STALL_MS);
    };
    const failed = (status: number) => reject(new ApiError(status, 'unreachable', 'The storage did not take the photograph.'));
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      onProgress?.(total > 0 ? loaded / total : 0);
    };
    request.onload = () => (request.status === 200 ? resolve() : failed(request.status));
    request.onerror = request.onabort = () => failed(0);
    request.onloadend = () => window.clearTimeout(stalled);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.open('PUT', upload_url);
    for (const [name, value] of Object.entries(required_headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', file.type);
    moved();
    request.send(file);
  });
}

async function freshTarget(reportPath: string, slot: Slot): Promise<UploadTarget> {
  const body = { slots: [{ module_type: MODULE_TYPE, slot }] };
  const { upload_targets } = await call<UploadTargetsResponse>('POST', `${reportPath}/upload-targets`, body);
  return upload_targets[0]!;
}

const holds = ({ expires_at }: UploadTarget): boolean => Date.parse(expires_at) - Date.now() > TARGET_LEFT_MS;

interface Upload extends Sending {
  /** Of the creation of the report, where there is one: taken while it holds and nothing was sent to it. */
  readonly target?: UploadTarget;
}

/** Brings the photograph of one slot to the storage. It counts when the target that comes back is registered. */
export async function uploadPhotograph(
  reportPath: string,
  slot: Slot,
  file: File,
  { target, ...sending }: Upload = {},
): Promise<UploadTarget> {
  checkPhotograph(file);
  const taken = target && holds(target) ? target : await freshTarget(reportPath, slot);
  sending.signal?.throwIfAborted();
  await put(taken, file, sending);
  return taken;
}

/** Its analysis starts. `replaces`: of a slot that has a result already, which is given up. */
export const registerPhotographs = (reportPath: string, uploaded: readonly UploadTarget[], replaces = false) =>
  call<RegisterImagesResponse>('POST', `${reportPath}/images${replaces ? '?replace=true' : ''}`, {
    images: uploaded.map(({ asset_id, slot }) => ({ asset_id, module_type: MODULE_TYPE, slot })),
  });
