import type { ledgerApi, shareApi } from '@tire/contracts/grpc';

type Progress = ledgerApi.GetReportProgressResponse;
type SlotProgress = ledgerApi.SlotProgress;

/** One line in the life of a report. */
export interface Moment {
  readonly at: string;
  readonly service: string;
  readonly what: string;
}

export interface Explanation {
  readonly reportId: string;
  readonly projectId: string;
  readonly projectMode: string;
  readonly lifecycle: string;
  readonly createdAt: string;
  readonly analysisStatus: string;
  readonly publicationStatus: string;
  readonly slots: readonly SlotProgress[];
  /** What the report waits for, and the service that ends the wait. Empty where nothing is going on. */
  readonly waits: readonly Wait[];
  /** The oldest first. */
  readonly life: readonly Moment[];
}

export interface Wait {
  /** The service whose logs and readiness are looked at next, or the partner. */
  readonly on: 'partner' | 'ledger' | 'assets' | 'inference' | 'content' | 'share';
  readonly what: string;
  /** RFC 3339. */
  readonly since: string;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const putBack = ({ putBack: count }: SlotProgress): string => (count > 0 ? `; it was put back ${times(count)} without an answer` : '');
const among = ({ workKind, waitingOfProject, waitingOfAll }: SlotProgress): string =>
  `${waitingOfProject} of the project and ${waitingOfAll} of all projects wait for ${workKind}`;

/** A slot that is work is either with a worker, or waits in the ledger until a worker requests work. */
function waitOfSlot(slot: SlotProgress): Wait | null {
  const { slotId, workKind, queuedAt, handedOutAt } = slot;
  if (!workKind || !queuedAt) return null;
  if (workKind === 'sandbox') return { on: 'ledger', what: `${slotId}: the result of a sandbox photograph is due`, since: queuedAt };
  const [on, does] = workKind === 'fetch' ? (['assets', 'fetches'] as const) : (['inference', 'measures'] as const);
  return handedOutAt
    ? { on, what: `${slotId}: ${on} ${does} the image${putBack(slot)}`, since: handedOutAt }
    : { on, what: `${slotId}: waits until ${on} requests work; ${among(slot)}${putBack(slot)}`, since: queuedAt };
}

/** The service that answers each fact that the ledger announced. */
const ANSWERED_BY: Readonly<Record<string, Wait['on']>> = {
  'content of the revision': 'content',
  'publication of the revision': 'share',
  'callback of the capture': 'share',
  removal: 'ledger',
};

function waitsOfReport({ lifecycle, analysisStatus, analysisRevision, owed, reminders, requestedAt, createdAt }: Progress): Wait[] {
  const reminded = reminders > 0 ? `; requested again ${times(reminders)}` : '';
  const facts = owed.map((what) => ({
    on: ANSWERED_BY[what] ?? 'ledger',
    what: (what.endsWith('revision') ? `${what} ${analysisRevision}` : what) + reminded,
    since: requestedAt ?? createdAt,
  }));
  const needsImages = lifecycle === 'open' && analysisStatus === 'awaiting_images';
  return needsImages ? [{ on: 'partner', what: 'images that the template needs', since: createdAt }, ...facts] : facts;
}

const lastAnswer = ({ httpStatus, failure }: shareApi.Callback): string =>
  httpStatus ? `HTTP ${httpStatus}` : (failure ?? 'no answer yet');

function waitOfCallback(callback: shareApi.Callback): Wait | null {
  const { state, type, callbackId, attemptCount, nextAttemptAt, queuedAt } = callback;
  if (state !== 'pending') return null;
  const next = nextAttemptAt ? `the next attempt is at ${nextAttemptAt}` : 'an attempt runs';
  return {
    on: 'share',
    what: `callback ${type} ${callbackId}: ${attemptCount} attempts, ${lastAnswer(callback)}; ${next}`,
    since: queuedAt,
  };
}

export const waitsOf = (progress: Progress, callbacks: readonly shareApi.Callback[]): Wait[] =>
  [...progress.slots.map(waitOfSlot), ...waitsOfReport(progress), ...callbacks.map(waitOfCallback)].filter((wait) => wait !== null);

/** A change of the report, as the ledger recorded it. */
export function momentOf({ at, what, actor, slotId, status, errorCode, model, traceId }: ledgerApi.ReportMoment): Moment {
  const details = [slotId, status, errorCode, model, actor && `by ${actor}`, traceId && `trace ${traceId}`].filter(Boolean);
  return { at, service: 'ledger', what: [what, ...details].join(', ') };
}

const cell = (text: string | number | undefined): string => String(text ?? '');

export function formatted({ reportId, projectId, projectMode, lifecycle, createdAt, ...rest }: Explanation): string {
  const { analysisStatus, publicationStatus, slots, waits, life } = rest;
  return [
    `report ${reportId} of the ${projectMode} project ${projectId}, created ${createdAt}`,
    `${lifecycle}; analysis ${analysisStatus}; publication ${publicationStatus}`,
    '',
    waits.length > 0 ? 'waits for' : 'waits for nothing',
    ...waits.map(({ on, what, since }) => `  ${on}, since ${since}: ${what}`),
    '',
    'slots',
    ...slots.map(
      (slot) => `  ${[slot.slotId, slot.phase, cell(slot.errorCode), cell(slot.model), cell(slot.analysisId)].filter(Boolean).join('  ')}`,
    ),
    '',
    'life',
    ...life.map(({ at, service, what }) => `  ${at}  ${service}: ${what}`),
  ].join('\n');
}
