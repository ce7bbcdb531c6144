import type { CaptureImages, CaptureSession } from '@tire/contracts/capture';
import type { ErrorEnvelope, RegisterImagesResponse, UploadTargetsResponse } from '@tire/contracts/api';
import type { Slot } from '@tire/kernel/slots';
import { askedWaitMs } from '../uploads/backoff';
import { ApiError } from './api-error';

/** A request without an answer for this long is given up: a phone that changes networks keeps dead connections. */
const PATIENCE_MS = 20_000;
const MODULE_TYPE = 'tire';

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  // A page of a proxy, or of a hotel that wants a log-in, is no answer of the service.
  if (response.ok && body !== null) return body;
  const code = (body as Partial<ErrorEnvelope> | null)?.error?.code ?? 'unreachable';
  const status = code === 'unreachable' && response.status < 500 ? 0 : response.status;
  throw new ApiError(status, code, askedWaitMs(response.headers.get('retry-after')));
}

/** The API of the link. The token is sent in a header only, never in an address. */
export class CaptureApi {
  constructor(private readonly token: string) {}

  session = () => this.call<CaptureSession>('GET', 'session');
  finish = () => this.call<CaptureSession>('POST', 'finish');

  uploadTarget = async (slot: Slot) => {
    const { upload_targets } = await this.call<UploadTargetsResponse>('POST', 'upload-targets', {
      slots: [{ module_type: MODULE_TYPE, slot }],
    });
    const [target] = upload_targets;
    if (!target) throw new ApiError(0, 'unreachable');
    return target;
  };

  register = (slot: Slot, assetId: string, over: string | null) =>
    this.call<RegisterImagesResponse>('POST', 'images', {
      images: [{ asset_id: assetId, module_type: MODULE_TYPE, slot, replaces_asset_id: over }],
    } satisfies CaptureImages);

  private async call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const response = await fetch(`/capture/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: patience.signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      return (await answerOf(response)) as T;
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError(0, 'unreachable');
    } finally {
      clearTimeout(timer);
    }
  }
}
