import type { CaptureSession } from '@tire/contracts/capture';
import { type ImageType, type Position, type SlotId } from '@tire/kernel/slots';
import { isUnsent, type Photo, type Refusal } from '../uploads/photo';

type SessionSlot = CaptureSession['slots'][number];

/** As one walks round a car, beginning where the driver gets out. */
const AROUND: readonly Position[] = ['front_left', 'rear_left', 'rear_right', 'front_right'];
const AT_A_WHEEL: readonly ImageType[] = ['tread', 'sidewall'];

const inWalkingOrder = (slots: readonly SessionSlot[]): SessionSlot[] =>
  AROUND.flatMap((position) =>
    AT_A_WHEEL.flatMap((type) => slots.filter(({ slot }) => slot.position === position && slot.image_type === type)),
  );

/** A slot as the person sees it: what the server says, and what this phone still has to send. */
export type Sight =
  /** optional: enough others of its type are taken. */
  | { readonly is: 'empty' | 'optional' | 'skipped' | 'measuring' | 'good' | 'contested' }
  | { readonly is: 'sending'; readonly share: number }
  | { readonly is: 'poor'; readonly reasons: SessionSlot['retake']; readonly isRecognized: boolean }
  | { readonly is: 'failed'; readonly reasons: SessionSlot['retake']; readonly code: SessionSlot['error_code'] }
  | { readonly is: 'unsent'; readonly why: Refusal };

export interface Phone {
  readonly photos: ReadonlyMap<SlotId, Photo>;
  /** Share of the bytes by photograph. */
  readonly progress: ReadonlyMap<string, number>;
  /** Registered here, and not yet in a session that was read afterwards. */
  readonly unconfirmed: ReadonlySet<SlotId>;
  readonly skipped: ReadonlySet<SlotId>;
}

function sightOf(slot: SessionSlot, { photos, progress, unconfirmed, skipped }: Phone): Sight {
  const photo = photos.get(slot.slot_id as SlotId);
  if (photo && isUnsent(photo)) return { is: 'sending', share: photo.stage.at === 'registering' ? 1 : (progress.get(photo.id) ?? 0) };
  if (photo?.stage.at === 'contested') return { is: 'contested' };
  if (photo?.stage.at === 'refused') return { is: 'unsent', why: photo.stage.why };
  if (unconfirmed.has(slot.slot_id as SlotId)) return { is: 'measuring' };
  switch (slot.status) {
    case 'empty':
      return { is: skipped.has(slot.slot_id as SlotId) ? 'skipped' : 'empty' };
    case 'pending':
      return { is: 'measuring' };
    case 'failed':
      return { is: 'failed', reasons: slot.retake, code: slot.error_code };
    default:
      return slot.retake.length === 0 && slot.recognized !== false
        ? { is: 'good' }
        : { is: 'poor', reasons: slot.retake, isRecognized: slot.recognized !== false };
  }
}

export interface Stop {
  readonly slot: SessionSlot;
  readonly id: SlotId;
  readonly sight: Sight;
}

const NOT_TAKEN: readonly Sight['is'][] = ['empty', 'optional', 'skipped', 'failed', 'unsent'];
/** A photograph was taken, and nothing speaks against it so far. */
const isTaken = ({ sight: { is } }: Stop): boolean => !NOT_TAKEN.includes(is);
const isMeasured = ({ sight: { is } }: Stop): boolean => is === 'good' || is === 'poor';

const ofType = (stops: readonly Stop[], type: ImageType): Stop[] => stops.filter(({ slot }) => slot.slot.image_type === type);

/** The slots in walking order. Where enough of a type are taken, the empty ones of that type become optional. */
export function stopsOf(session: CaptureSession, phone: Phone): Stop[] {
  const stops = inWalkingOrder(session.slots).map((slot) => ({ slot, id: slot.slot_id as SlotId, sight: sightOf(slot, phone) }));
  const isEnough = (type: ImageType) => ofType(stops, type).filter(isTaken).length >= session.template.minimum_success_count[type];
  const enough = { tread: isEnough('tread'), sidewall: isEnough('sidewall') };
  return stops.map((stop) =>
    stop.sight.is === 'empty' && enough[stop.slot.slot.image_type] ? { ...stop, sight: { is: 'optional' } } : stop,
  );
}

/** Whether the template can still be met if this slot stays empty. */
export function maySkip(session: CaptureSession, stops: readonly Stop[], id: SlotId): boolean {
  const stop = stops.find((one) => one.id === id);
  if (!stop) return false;
  const type = stop.slot.slot.image_type;
  const others = ofType(stops, type).filter((one) => one.id !== id && one.sight.is !== 'skipped');
  return others.length >= session.template.minimum_success_count[type];
}

/** The next slot that needs a photograph, in walking order after this one. */
export function nextStop(stops: readonly Stop[], after?: SlotId): Stop | undefined {
  const from = stops.findIndex(({ id }) => id === after) + 1;
  const ordered = [...stops.slice(from), ...stops.slice(0, from)];
  return ordered.find(({ sight, id }) => sight.is === 'empty' && id !== after);
}

export interface Progress {
  readonly taken: number;
  readonly wanted: number;
  /** Waiting on this phone. */
  readonly unsent: number;
  readonly measuring: number;
  /** Enough of each type are measured. */
  readonly isEnough: boolean;
  /** How many of each type are missing. */
  readonly missing: Readonly<Record<ImageType, number>>;
}

export function progressOf(session: CaptureSession, stops: readonly Stop[]): Progress {
  const { minimum_success_count: least } = session.template;
  const missingOf = (type: ImageType) => Math.max(0, least[type] - ofType(stops, type).filter(isMeasured).length);
  const takenOf = (type: ImageType) => Math.min(least[type], ofType(stops, type).filter(isTaken).length);
  const missing = { tread: missingOf('tread'), sidewall: missingOf('sidewall') };
  const count = (kind: Sight['is']) => stops.filter(({ sight }) => sight.is === kind).length;
  return {
    taken: takenOf('tread') + takenOf('sidewall'),
    wanted: least.tread + least.sidewall,
    unsent: count('sending'),
    measuring: count('measuring'),
    isEnough: missing.tread === 0 && missing.sidewall === 0,
    missing,
  };
}

/** What needs the person: a photograph that has to be taken again, first of all. */
export const needsAttention = ({ sight }: Stop): boolean => ['failed', 'poor', 'contested', 'unsent'].includes(sight.is);
