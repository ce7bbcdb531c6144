import type { SlotId } from '@tire/kernel';
import type { Photo, Target } from '../../web/uploads/photo';
import type { Outcome, Wire } from '../../web/uploads/sender';

/** What befalls one request. */
export const FATES = ['answered', 'cut', 'lost_answer', 'dies_before', 'dies_after', 'expired'] as const;
export type Fate = (typeof FATES)[number];

export const later = { type: 'later', askedMs: 0 } as const;
const never = new Promise<never>(() => undefined);

/** The server's rules, in a few lines: an upload per asset, and one asset per slot. */
export class Server implements Wire {
  readonly uploads = new Map<string, number>();
  readonly slots = new Map<SlotId, string>();
  readonly applied: SlotId[] = [];
  readonly owners = new Map<string, string>();
  private issued = 0;

  constructor(
    private readonly fate: () => Fate,
    private readonly die: () => void,
  ) {}

  issueTarget = (photo: Photo): Promise<Outcome<Target>> =>
    this.befall(() => {
      const asset_id = `asset-${++this.issued}`;
      this.owners.set(asset_id, photo.id);
      return { type: 'done', value: { asset_id, upload_url: asset_id, required_headers: {} } };
    });

  put = (target: Target, bytes: Uint8Array): Promise<Outcome<void>> =>
    this.befall(() => {
      this.uploads.set(target.asset_id, bytes.length);
      return { type: 'done', value: undefined };
    }, true);

  register = (photo: Photo, target: Target, over: string | null): Promise<Outcome<void>> =>
    this.befall(() => {
      const holds = this.slots.get(photo.slotId);
      if (holds === target.asset_id) return { type: 'done', value: undefined };
      if (!this.uploads.has(target.asset_id)) return { type: 'unfit' };
      if ((holds ?? null) !== over) return { type: 'taken' };
      this.slots.set(photo.slotId, target.asset_id);
      this.applied.push(photo.slotId);
      return { type: 'done', value: undefined };
    });

  heldBy = (id: SlotId): Promise<Outcome<string | null>> => this.befall(() => ({ type: 'done', value: this.slots.get(id) ?? null }));

  private async befall<T>(work: () => Outcome<T>, mayExpire = false): Promise<Outcome<T>> {
    await Promise.resolve();
    const fate = this.fate();
    if (fate === 'cut') return later;
    if (fate === 'expired') return mayExpire ? { type: 'unfit' } : work();
    if (fate === 'dies_before') return (this.die(), never);
    const outcome = work();
    if (fate === 'dies_after') return (this.die(), never);
    return fate === 'lost_answer' ? later : outcome;
  }
}
