import type { RegisterImagesResponse, UploadTarget, UploadTargetsResponse } from '@tire/contracts';
import { ApiError, call } from './client';
import { reportPath, type ReportAt } from './reports';

type Slot = UploadTarget['slot'];

/** What the interface takes. */
export const PHOTOGRAPH_TYPES: readonly string[] = ['image/jpeg', 'image/png'];
const PHOTOGRAPH_BYTES_MAX = 20 * 1_024 * 1_024;
/** For so long no byte has moved: the connection is gone, and nobody said so. */
const STALL_MS = 30_000;
const MODULE_TYPE = 'tire';

interface Sending {
  /** Of the bytes that are to be sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

type Fault = 'photograph_none' | 'photograph_type' | 'photograph_size' | 'photograph_empty';
const refusal = (param: Fault, message: string): ApiError => new ApiError(422, 'validation_error', message, param);

/** What the service would refuse after the upload is refused before it; `param` says why. */
function checkPhotograph({ name, type, size }: File): void {
  // What a form has where nothing was chosen.
  if (name === '') throw refusal('photograph_none', 'No photograph was chosen.');
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

async function freshTarget(at: ReportAt, slot: Slot): Promise<UploadTarget> {
  const body = { slots: [{ module_type: MODULE_TYPE, slot }] };
  const { upload_targets } = await call<UploadTargetsResponse>('POST', `${reportPath(at)}/upload-targets`, body);
  return upload_targets[0]!;
}

const register = (at: ReportAt, { asset_id, slot }: UploadTarget, replaces: boolean) =>
  call<RegisterImagesResponse>('POST', `${reportPath(at)}/images${replaces ? '?replace=true' : ''}`, {
    images: [{ asset_id, module_type: MODULE_TYPE, slot }],
  });

interface Sent extends Sending {
  readonly slot: Slot;
  readonly file: File;
  /** Asked when it has arrived: of a slot that has a photograph or a result by then, which is given up. */
  readonly replaces: () => boolean;
}

/** To the storage and into the report, where its analysis starts; returns its id. */
export async function sendPhotograph(at: ReportAt, { slot, file, replaces, ...sending }: Sent): Promise<string> {
  checkPhotograph(file);
  sending.onProgress?.(0);
  const target = await freshTarget(at, slot);
  sending.signal?.throwIfAborted();
  await put(target, file, sending);
  sending.signal?.throwIfAborted();
  await register(at, target, replaces());
  return target.asset_id;
}
