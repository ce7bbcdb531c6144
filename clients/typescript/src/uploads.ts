import { ConnectionError, UploadError } from './errors.ts';
import { openImage, type ImageFile, type OpenedImage } from './files.ts';
import { connectionError, type Http } from './http.ts';
import { readRetryAfter, withRetries } from './retries.ts';
import { slotId, slotOf, type RequestOptions, type SlotId, type UploadTarget } from './types.ts';

export type ImageFiles = Readonly<Partial<Record<SlotId, ImageFile>>>;

export interface UploadOptions extends RequestOptions {
  /** How many images are sent at once. 4 by default. */
  readonly concurrency?: number;
}

/** A photograph on a slow connection. */
const UPLOAD_TIMES = 4;

class StorageAnswer extends UploadError {
  readonly retryAfterMs: number | null;

  constructor(id: SlotId, { status, headers }: Response) {
    super(id, status);
    this.retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
    this.name = 'UploadError';
  }
}

/** Opens every file before anything is sent: a wrong one, or one of no slot, leaves no report without images behind. */
export async function openAll(files: ImageFiles): Promise<Map<SlotId, OpenedImage>> {
  const given = Object.entries(files).filter(([, file]) => file !== undefined) as [SlotId, ImageFile][];
  if (given.length === 0) throw new TypeError('files has no image.');
  for (const [id] of given) slotOf(id);
  return new Map(await Promise.all(given.map(async ([id, file]) => [id, await openImage(id, file)] as const)));
}

async function put(http: Http, target: UploadTarget, image: OpenedImage, signal?: AbortSignal): Promise<void> {
  const id = slotId(target.slot);
  const timeout = AbortSignal.timeout(http.timeoutMs * UPLOAD_TIMES);
  const body = await image.bytes();
  let response: Response;
  try {
    response = await http.fetch(target.upload_url, {
      method: 'PUT',
      headers: { 'content-type': image.contentType, ...target.required_headers },
      body,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    await response.arrayBuffer();
  } catch (error) {
    signal?.throwIfAborted();
    throw connectionError(error, `The upload of ${id}`);
  }
  if (!response.ok) throw new StorageAnswer(id, response);
}

const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;
/** The signature has expired: the answer to a repeated creation has the addresses of the first one. */
const isExpired = (error: unknown): boolean => error instanceof UploadError && [400, 403, 410].includes(error.status);

async function uploadOne(
  http: Http,
  target: UploadTarget,
  image: OpenedImage,
  renew: (target: UploadTarget) => Promise<UploadTarget>,
  signal?: AbortSignal,
): Promise<UploadTarget> {
  const send = (to: UploadTarget) =>
    withRetries(
      http.policy,
      signal,
      () => put(http, to, image, signal),
      (error) => {
        if (error instanceof StorageAnswer) return { again: isTemporary(error.status), retryAfterMs: error.retryAfterMs };
        return { again: error instanceof ConnectionError };
      },
    );
  try {
    await send(target);
    return target;
  } catch (error) {
    if (!isExpired(error)) throw error;
    const renewed = await renew(target);
    await send(renewed);
    return renewed;
  }
}

/** Uploads to each target. The first fault ends the others, because a registration needs all of them. */
export async function uploadAll(
  http: Http,
  targets: readonly UploadTarget[],
  images: ReadonlyMap<SlotId, OpenedImage>,
  renew: (target: UploadTarget) => Promise<UploadTarget>,
  { concurrency = 4, signal }: UploadOptions,
): Promise<UploadTarget[]> {
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const waiting = [...targets.entries()];
  const uploaded: UploadTarget[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, target] = next;
      uploaded[index] = await uploadOne(http, target, images.get(slotId(target.slot))!, renew, either);
    }
  };
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, targets.length)) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
  return uploaded;
}
