import type { RegisterImagesResponse, UploadTarget, UploadTargetsResponse } from '@tire/contracts/api';
import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { ApiError, call } from './client';
import { reportPath, type ReportAt } from './reports';

type Slot = UploadTarget['slot'];

/** The content types that the API accepts. */
export const IMAGE_TYPES_ACCEPTED: readonly string[] = ['image/jpeg', 'image/png'];
/** An upload without progress for this long is aborted. */
const STALL_MS = 30_000;
const MODULE_TYPE = 'tire';

interface Sending {
  /** The share of bytes sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

type Fault = 'image_none' | 'image_type' | 'image_size' | 'image_empty';
const refusal = (param: Fault, message: string): ApiError => new ApiError(422, 'validation_error', message, param);

/** Checks before the upload what the service checks after it. `param` of the error is the reason. */
function checkImage({ name, type, size }: File): void {
  // If no file was chosen, a form contains a file without a name.
  if (name === '') throw refusal('image_none', 'No photograph was chosen.');
  if (!IMAGE_TYPES_ACCEPTED.includes(type)) throw refusal('image_type', 'A photograph is a JPEG or a PNG.');
  if (size === 0) throw refusal('image_empty', 'The file is empty.');
  if (size > IMAGE_BYTES_MAX) throw refusal('image_size', 'A photograph has 20 MB at most.');
}

/** Uploads to the object store. XMLHttpRequest reports progress; fetch does not. */
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
  /** Called after the upload: whether the slot now has an image or a result, which the upload replaces. */
  readonly replaces: () => boolean;
}

/** Uploads an image and registers it, which starts the analysis. Returns the asset id. */
export async function sendImage(at: ReportAt, { slot, file, replaces, ...sending }: Sent): Promise<string> {
  checkImage(file);
  sending.onProgress?.(0);
  const target = await freshTarget(at, slot);
  sending.signal?.throwIfAborted();
  await put(target, file, sending);
  sending.signal?.throwIfAborted();
  await register(at, target, replaces());
  return target.asset_id;
}
