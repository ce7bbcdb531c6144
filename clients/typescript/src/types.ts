import type { components, operations } from './generated/api.ts';

type Schemas = components['schemas'];

export type AnalyzeResponse = Schemas['AnalyzeResponse'];
export type Content = Schemas['Content'];
export type ContentReady = Schemas['ContentReady'];
export type CreateReportRequest = Schemas['CreateReportRequest'];
export type CreateReportResponse = Schemas['CreateReportResponse'];
export type DiscardResponse = Schemas['DiscardResponse'];
export type ErrorBody = Schemas['ErrorEnvelope']['error'];
export type ImageType = Schemas['ImageType'];
export type ListenedCallbacks = Schemas['ListenedCallbacks'];
export type LoggedRequests = Schemas['LoggedRequests'];
export type CaptureFinished = Schemas['CaptureFinished'];
export type CaptureOrder = Schemas['CaptureOrder'];
export type IssuedCapture = Schemas['IssuedCapture'];
export type RevokedCapture = Schemas['RevokedCapture'];
export type Position = Schemas['Position'];
export type PublishResponse = Schemas['PublishResponse'];
export type RegisteredImage = Schemas['RegisteredImage'];
export type RegisterImagesResponse = Schemas['RegisterImagesResponse'];
export type ReplayRequest = Schemas['ReplayRequest'];
export type ReplayResponse = Schemas['ReplayResponse'];
export type Report = Schemas['Report'];
export type ReportCompleted = Schemas['ReportCompleted'];
export type ReportFailed = Schemas['ReportFailed'];
export type ReportPage = Schemas['ReportPage'];
export type ReportPartial = Schemas['ReportPartial'];
export type ReportSummary = Schemas['ReportSummary'];
export type ShareRecord = Schemas['ShareRecord'];
export type ShareRevoked = Schemas['ShareRevoked'];
export type Slot = Schemas['Slot'];
export type TemplateKey = Schemas['TemplateKey'];
export type UploadTarget = Schemas['UploadTarget'];
export type UploadTargetsResponse = Schemas['UploadTargetsResponse'];
export type Vehicle = Schemas['Vehicle'];

/** `tire.tread.front_left`: how reports name their slots. */
export type SlotId = `tire.${ImageType}.${Position}`;

export type ReportFilters = Omit<NonNullable<operations['listReports']['parameters']['query']>, 'cursor'>;

/** What a callback is about. */
export type ReportNotificationType = ListenedCallbacks['callbacks'][number]['type'];

export type PollQuery = NonNullable<operations['listenToCallbacks']['parameters']['query']>;

export interface RequestOptions {
  /** Ends the call at once, also while it waits for its next attempt. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

export interface MutationOptions extends RequestOptions {
  /** Name your own request, so that also another process can repeat it. Without one each call has a new random key. */
  readonly idempotencyKey?: string;
}

export const slotId = ({ image_type, position }: Slot): SlotId => `tire.${image_type}.${position}`;

const IMAGE_TYPES: readonly ImageType[] = ['tread', 'sidewall'];
export const POSITIONS: readonly Position[] = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const SLOT_IDS: readonly SlotId[] = IMAGE_TYPES.flatMap((type) => POSITIONS.map((position): SlotId => `tire.${type}.${position}`));

/** Throws where it is none of the eight: programs without types misspell them. */
export function slotOf(id: SlotId): Slot {
  if (!SLOT_IDS.includes(id)) throw new TypeError(`${JSON.stringify(id)} is no slot: "tire.tread.front_left" is one.`);
  const [, image_type, position] = id.split('.') as [string, ImageType, Position];
  return { position, image_type };
}
