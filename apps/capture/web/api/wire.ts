import type { CaptureSession } from '@tire/contracts/capture';
import type { SlotId } from '@tire/kernel/slots';
import type { Photo, Target } from '../uploads/photo';
import type { Outcome, Wire } from '../uploads/sender';
import type { Bytes } from '../uploads/store';
import type { CaptureApi } from './client';
import { outcomeOf } from './outcomes';
import { put } from './put';

const outcome = async <T>(request: Promise<T>): Promise<Outcome<T>> =>
  request.then(
    (value) => ({ type: 'done', value }),
    (error: unknown) => outcomeOf(error),
  );

/** The steps of the queue over HTTP. */
export class HttpWire implements Wire {
  constructor(
    private readonly api: CaptureApi,
    /** Reads it anew: an older one would not know what another phone has sent meanwhile. */
    private readonly session: () => Promise<CaptureSession>,
  ) {}

  issueTarget = (photo: Photo): Promise<Outcome<Target>> =>
    outcome(
      this.api.uploadTarget(photo.slot).then(({ asset_id, upload_url, required_headers }) => ({ asset_id, upload_url, required_headers })),
    );

  put = (target: Target, bytes: Bytes, onProgress: (share: number) => void): Promise<Outcome<void>> => put(target, bytes, onProgress);

  register = (photo: Photo, target: Target, over: string | null): Promise<Outcome<void>> =>
    outcome(this.api.register(photo.slot, target.asset_id, over).then(() => undefined));

  heldBy = (slotId: SlotId): Promise<Outcome<string | null>> =>
    outcome(this.session().then(({ slots }) => slots.find((slot) => slot.slot_id === slotId)?.asset_id ?? null));
}
