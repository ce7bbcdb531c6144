import { assertNever } from '@tire/kernel/clock';
import type { Slot, SlotId } from '@tire/kernel/slots';

/**
 * One photograph on its way from the phone to the report. Every stage is stored before the step that follows it, so that a page that dies
 * anywhere goes on where it was: a PUT is sent again to the same address, and a registration of the same asset again changes nothing. A
 * registration names the asset that it replaces, so a late one never replaces what another phone sent meanwhile.
 */
export interface Photo {
  readonly id: string;
  readonly reportId: string;
  readonly slotId: SlotId;
  readonly slot: Slot;
  /** Grows with each photograph of the phone. No clock, because a phone's may be wrong. */
  readonly order: number;
  /** Assets that it may replace: what the person saw in the slot, and earlier photographs of this phone. The newest ones, last. */
  readonly mayReplace: readonly string[];
  /** How often the person decided for it against one of another device. */
  readonly insisted: number;
  readonly stage: Stage;
  /** Answers in a row that asked for patience. */
  readonly failures: number;
  /** Addresses in a row that the store refused. */
  readonly refusedAddresses: number;
  /** Uploads that a registration refused. */
  readonly refusedUploads: number;
  /** A small picture for the list, and its perceptual hash. */
  readonly thumbnail: string;
  readonly hash: string;
}

/** What is needed of the API's upload target. Its time of expiry is left out on purpose: the phone's clock may be wrong. */
export interface Target {
  readonly asset_id: string;
  readonly upload_url: string;
  readonly required_headers: Readonly<Record<string, string>>;
}

export type Stage =
  | { readonly at: 'waiting' }
  | { readonly at: 'addressed'; readonly target: Target }
  | { readonly at: 'uploaded'; readonly target: Target }
  /** `over`: the asset that the slot held then, which the registration replaces; null: none. */
  | { readonly at: 'registering'; readonly target: Target; readonly over: string | null }
  | { readonly at: 'registered'; readonly assetId: string | null }
  /** Another device sent a photograph of this slot meanwhile. The person decides which one counts. */
  | { readonly at: 'contested'; readonly target: Target | null }
  | { readonly at: 'refused'; readonly why: Refusal };

/**
 * link: it is unknown or was replaced. ended: it takes no more. closed: the report takes no more, by any link. unusable: the service refuses
 * the file. lost: its bytes are gone.
 */
export type Refusal = 'link' | 'ended' | 'closed' | 'unusable' | 'lost';

export type Answer =
  | { readonly type: 'addressed'; readonly target: Target }
  | { readonly type: 'uploaded' }
  /** The store refused the address: too old, or used up. */
  | { readonly type: 'addressRefused' }
  /** The slot holds what the photograph may replace. */
  | { readonly type: 'registering'; readonly over: string | null }
  | { readonly type: 'registered' }
  /** The registration found no upload, or one that it cannot use. */
  | { readonly type: 'uploadRefused' }
  | { readonly type: 'contested' }
  /** The person wants this photograph although the slot has another one: the asset that the person saw. */
  | { readonly type: 'insisted'; readonly over: string | null }
  | { readonly type: 'refused'; readonly why: Refusal }
  /** A link of the same report is open again. */
  | { readonly type: 'reopened' }
  /** No answer, or one that asks for patience. */
  | { readonly type: 'postponed' };

export type Step = 'address' | 'upload' | 'announce' | 'register' | 'none';

/** So many refused uploads are the fault of the file itself. */
export const REFUSED_UPLOADS_MAX = 3;

/**
 * So many uploads in a row to one address without an answer that can be read are a refusal of the address: a store that answers without the
 * headers for other origins looks like no network.
 */
export const SILENT_UPLOADS_MAX = 3;

const MAY_REPLACE_MAX = 16;

/** With further assets that may be replaced. */
export const mayReplaceToo = (known: readonly string[], ...assets: (string | null | undefined)[]): string[] =>
  [...new Set([...known, ...assets.filter((asset) => typeof asset === 'string')])].slice(-MAY_REPLACE_MAX);

/** The next step of a photograph. `announce` looks at the slot and stores that a registration follows. */
export function nextStep({ stage }: Photo): Step {
  switch (stage.at) {
    case 'waiting':
      return 'address';
    case 'addressed':
      return 'upload';
    case 'uploaded':
      return 'announce';
    case 'registering':
      return 'register';
    case 'registered':
    case 'contested':
    case 'refused':
      return 'none';
    default:
      return assertNever(stage);
  }
}

export const isUnsent = (photo: Photo): boolean => nextStep(photo) !== 'none';

/** A newer link of the report may still send it. */
export const mayReopen = ({ stage }: Photo): boolean => stage.at === 'refused' && (stage.why === 'link' || stage.why === 'ended');

const targetOf = (stage: Stage): Target | null => ('target' in stage ? stage.target : null);

/** The asset that the server holds, or may hold, for a photograph. */
export const assetOf = ({ stage }: Photo): string | null =>
  stage.at === 'registered' ? stage.assetId : (targetOf(stage)?.asset_id ?? null);

/** What follows from the asset that the slot holds, right before a registration and after one that was refused. */
export function answerToSlot(photo: Photo, held: string | null): Answer {
  if (held !== null && held === assetOf(photo)) return { type: 'registered' };
  return held === null || photo.mayReplace.includes(held) ? { type: 'registering', over: held } : { type: 'contested' };
}

function stageAfter(photo: Photo, answer: Exclude<Answer, { type: 'postponed' }>): Stage {
  const { stage } = photo;
  const target = targetOf(stage);
  switch (answer.type) {
    case 'addressed':
      return { at: 'addressed', target: answer.target };
    case 'uploaded':
      return stage.at === 'addressed' ? { at: 'uploaded', target: stage.target } : stage;
    case 'addressRefused':
      return { at: 'waiting' };
    case 'uploadRefused':
      return photo.refusedUploads + 1 < REFUSED_UPLOADS_MAX ? { at: 'waiting' } : { at: 'refused', why: 'unusable' };
    case 'registering':
      return stage.at === 'uploaded' || stage.at === 'registering' ? { at: 'registering', target: stage.target, over: answer.over } : stage;
    case 'registered':
      return { at: 'registered', assetId: assetOf(photo) };
    case 'contested':
      return { at: 'contested', target };
    case 'insisted':
      // The upload is there already, unless the fault came before it.
      return stage.at === 'contested' ? (target ? { at: 'uploaded', target } : { at: 'waiting' }) : stage;
    case 'refused':
      return { at: 'refused', why: answer.why };
    case 'reopened':
      return mayReopen(photo) ? { at: 'waiting' } : stage;
    default:
      return assertNever(answer);
  }
}

/** A photograph after an answer. One that is registered or refused for good takes no more answers: a late one changes nothing. */
export function after(photo: Photo, answer: Answer): Photo {
  if (photo.stage.at === 'registered') return photo;
  if (photo.stage.at === 'refused' && answer.type !== 'reopened') return photo;
  if (answer.type === 'postponed') {
    const isSilent = photo.stage.at === 'addressed' && photo.failures + 1 >= SILENT_UPLOADS_MAX;
    return isSilent ? after(photo, { type: 'addressRefused' }) : { ...photo, failures: photo.failures + 1 };
  }
  const { type } = answer;
  return {
    ...photo,
    stage: stageAfter(photo, answer),
    mayReplace: type === 'insisted' ? mayReplaceToo(photo.mayReplace, answer.over) : photo.mayReplace,
    insisted: photo.insisted + (type === 'insisted' ? 1 : 0),
    failures: 0,
    refusedAddresses: type === 'addressRefused' ? photo.refusedAddresses + 1 : type === 'uploaded' ? 0 : photo.refusedAddresses,
    refusedUploads: type === 'uploadRefused' ? photo.refusedUploads + 1 : photo.refusedUploads,
  };
}

/** Places of the stages that share one target. */
const ON_THE_WAY: readonly Stage['at'][] = ['addressed', 'uploaded', 'registering'];

/**
 * Whether a photograph is further than what a tab that was suspended wants to store now: registered, refused, in dispute, or later on the
 * way to the same target. The late tab may have found no bytes, because they are deleted after the registration.
 */
export function isOvertaken(stored: Photo, late: Photo): boolean {
  const [was, is] = [stored.stage, late.stage];
  switch (was.at) {
    case 'registered':
      return is.at !== 'registered';
    case 'refused':
      return is.at !== 'registered' && !(is.at === 'waiting' && mayReopen(stored));
    case 'contested':
      // Only the person takes it out of there, and insists.
      return ON_THE_WAY.includes(is.at) && late.insisted <= stored.insisted;
    default:
      return targetOf(was)?.asset_id === targetOf(is)?.asset_id && ON_THE_WAY.slice(0, ON_THE_WAY.indexOf(was.at)).includes(is.at);
  }
}

export const troubles = (photo: Photo): number => photo.failures + photo.refusedAddresses + photo.refusedUploads;

/** Those that fail stand behind those that do not, so that one bad photograph holds up no other. */
export const inTurn = (photos: readonly Photo[]): Photo[] =>
  photos.filter(isUnsent).sort((a, b) => troubles(a) - troubles(b) || a.order - b.order);
