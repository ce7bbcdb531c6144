import type { Target } from '../uploads/photo';
import type { Outcome } from '../uploads/sender';
import type { Bytes } from '../uploads/store';

/** An upload without progress for this long is given up. */
const STALL_MS = 30_000;

/** The store refuses the address: too old, or not its own any more. */
const REFUSED = new Set([400, 401, 403, 404, 405, 409, 410, 412]);

function outcomeOf({ status }: XMLHttpRequest): Outcome<void> {
  if (status >= 200 && status < 300) return { type: 'done', value: undefined };
  if (REFUSED.has(status)) return { type: 'unfit' };
  // Headers of another origin, such as Retry-After, cannot be read.
  return { type: 'later', askedMs: 0 };
}

/** Uploads to the object store. XMLHttpRequest reports progress; fetch does not. */
export const put = (target: Target, bytes: Bytes, onProgress: (share: number) => void): Promise<Outcome<void>> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let stalled: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALL_MS);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      resolve(outcomeOf(request));
    };
    request.open('PUT', target.upload_url);
    for (const [name, value] of Object.entries(target.required_headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'image/jpeg');
    moved();
    request.send(bytes);
  });
