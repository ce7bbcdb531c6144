import type { CaptureSession } from '@tire/contracts/capture';
import type { SlotId } from '@tire/kernel/slots';
import type { CameraFault } from '../camera/stream';
import type { Language } from '../i18n/words';
import type { FileFault } from '../photo/file-kind';
import type { Prepared } from '../photo/prepare';
import type { Phone } from './walk';

export type Screen = { readonly name: 'welcome' | 'walk' | 'summary' | 'done' } | { readonly name: 'slot'; readonly id: SlotId };

/** unknown: there is no such link any more. */
export type Reach = 'loading' | 'unreachable' | 'unknown' | 'there';

export interface State {
  readonly language: Language;
  readonly isLeftHanded: boolean;
  readonly reach: Reach;
  readonly session: CaptureSession | null;
  readonly screen: Screen;
  readonly phone: Phone;
  readonly isOnline: boolean;
  /** A photograph could not be kept on the phone. */
  readonly isMemoryOnly: boolean;
  /** Photographs that were deleted unsent, because the report takes none any more. */
  readonly dropped: number;
  /** Another tab of this phone sends the photographs. */
  readonly sendsElsewhere: boolean;
  /** Results that could be better and that the person leaves as they are. */
  readonly kept: ReadonlySet<SlotId>;
  readonly camera: 'unasked' | 'on' | CameraFault;
  /** The shutter goes off by itself. */
  readonly isAutomatic: boolean;
  /** The person chooses a file for this slot although there is a camera. */
  readonly usesPicker: boolean;
  readonly isPreparing: boolean;
  readonly fileFault: FileFault | null;
  /** A photograph that looks like one of another slot waits for a decision. */
  readonly doubt: { readonly prepared: Prepared; readonly sameAs: SlotId } | null;
  readonly hasFinishFailed: boolean;
}

type Choices = Pick<State, 'language' | 'isLeftHanded' | 'isAutomatic' | 'camera'>;

export const initialState = (choices: Choices): State => ({
  ...choices,
  reach: 'loading',
  session: null,
  screen: { name: 'welcome' },
  phone: { photos: new Map(), progress: new Map(), unconfirmed: new Set(), skipped: new Set() },
  isOnline: true,
  isMemoryOnly: false,
  dropped: 0,
  sendsElsewhere: false,
  kept: new Set(),
  usesPicker: false,
  isPreparing: false,
  fileFault: null,
  doubt: null,
  hasFinishFailed: false,
});

export const withMember = <T>(set: ReadonlySet<T>, member: T): Set<T> => new Set(set).add(member);

export function withoutMember<T>(set: ReadonlySet<T>, member: T): Set<T> {
  const left = new Set(set);
  left.delete(member);
  return left;
}
