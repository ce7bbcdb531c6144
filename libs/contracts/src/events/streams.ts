import {
  AnalysisEnded,
  AnalysisFinished,
  CaptureFinished,
  ContentGenerated,
  ImageFetched,
  PublicationChanged,
} from '../generated/tire/events/v1/facts';
import { AnalyzeImage, FetchImage } from '../generated/tire/events/v1/work';

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** One type of message: its stream, its subject and its encoding. */
export interface EventType<T = unknown> {
  readonly name: string;
  readonly subject: string;
  readonly stream: StreamName;
  readonly codec: Codec<T>;
  /** The only service that publishes it. */
  readonly publisher: EventingService;
  /** The durable consumers. The name begins with the service. */
  readonly consumers: readonly `${EventingService}-${string}`[];
}

/** The services with a user at the broker. */
export const EVENTING_SERVICES = ['ledger', 'assets', 'inference', 'content', 'share'] as const;
export type EventingService = (typeof EVENTING_SERVICES)[number];

/**
 * A work message goes to one worker and is kept until it is acknowledged; a queue of work has one consumer. A fact goes to every consumer and
 * is kept for a limited time. A count is the last message of its subject, in the form of a key-value bucket.
 */
export const STREAMS = {
  WORK_FETCH: { kind: 'work', consumer: 'assets-fetch', subjects: ['assets.fetch'] },
  WORK_TREAD: { kind: 'work', consumer: 'inference-tread', subjects: ['analysis.tread'] },
  WORK_SIDEWALL: { kind: 'work', consumer: 'inference-sidewall', subjects: ['analysis.sidewall'] },
  FACTS_ASSETS: { kind: 'facts', subjects: ['assets.fetched'] },
  FACTS_INFERENCE: { kind: 'facts', subjects: ['inference.finished'] },
  FACTS_REPORTS: { kind: 'facts', subjects: ['reports.>'] },
  FACTS_CONTENT: { kind: 'facts', subjects: ['content.>'] },
  FACTS_SHARE: { kind: 'facts', subjects: ['share.>'] },
  KV_tire_attempts: { kind: 'counts', bucket: 'tire_attempts', subjects: ['$KV.tire_attempts.>'], service: 'inference' },
} as const;

export type StreamName = keyof typeof STREAMS;

interface Route {
  readonly from: EventingService;
  readonly to: EventType['consumers'];
}

const event = <T>(name: string, stream: StreamName, subject: string, codec: Codec<T>, { from, to }: Route): EventType<T> => ({
  name,
  stream,
  subject,
  codec,
  publisher: from,
  consumers: to,
});

/** The users of the broker and their permissions follow from these rows (permissions.ts). */
export const EVENTS = {
  fetchImage: event('FetchImage', 'WORK_FETCH', 'assets.fetch', FetchImage, { from: 'ledger', to: ['assets-fetch'] }),
  analyzeTread: event('AnalyzeImage', 'WORK_TREAD', 'analysis.tread', AnalyzeImage, { from: 'ledger', to: ['inference-tread'] }),
  analyzeSidewall: event('AnalyzeImage', 'WORK_SIDEWALL', 'analysis.sidewall', AnalyzeImage, {
    from: 'ledger',
    to: ['inference-sidewall'],
  }),
  imageFetched: event('ImageFetched', 'FACTS_ASSETS', 'assets.fetched', ImageFetched, { from: 'assets', to: ['ledger-image-fetched'] }),
  analysisFinished: event('AnalysisFinished', 'FACTS_INFERENCE', 'inference.finished', AnalysisFinished, {
    from: 'inference',
    to: ['ledger-analysis-finished'],
  }),
  analysisEnded: event('AnalysisEnded', 'FACTS_REPORTS', 'reports.analysis_ended', AnalysisEnded, {
    from: 'ledger',
    to: ['content-analysis-ended', 'share-analysis-ended'],
  }),
  captureFinished: event('CaptureFinished', 'FACTS_REPORTS', 'reports.capture_finished', CaptureFinished, {
    from: 'ledger',
    to: ['share-capture-finished'],
  }),
  contentGenerated: event('ContentGenerated', 'FACTS_CONTENT', 'content.generated', ContentGenerated, {
    from: 'content',
    to: ['ledger-content-generated', 'share-content-generated'],
  }),
  publicationChanged: event('PublicationChanged', 'FACTS_SHARE', 'share.publication_changed', PublicationChanged, {
    from: 'share',
    to: ['ledger-publication-changed'],
  }),
} as const;
