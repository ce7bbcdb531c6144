import { AnalysisEnded, AnalysisFinished, ContentGenerated, ImageFetched, PublicationChanged } from '../generated/tire/events/v1/facts';
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
}

/**
 * A work message goes to one worker and is kept until it is acknowledged; a queue of work has one consumer. A fact goes to every consumer and
 * is kept for a limited time.
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
} as const;

export type StreamName = keyof typeof STREAMS;

const event = <T>(name: string, stream: StreamName, subject: string, codec: Codec<T>): EventType<T> => ({ name, stream, subject, codec });

export const EVENTS = {
  fetchImage: event('FetchImage', 'WORK_FETCH', 'assets.fetch', FetchImage),
  analyzeTread: event('AnalyzeImage', 'WORK_TREAD', 'analysis.tread', AnalyzeImage),
  analyzeSidewall: event('AnalyzeImage', 'WORK_SIDEWALL', 'analysis.sidewall', AnalyzeImage),
  imageFetched: event('ImageFetched', 'FACTS_ASSETS', 'assets.fetched', ImageFetched),
  analysisFinished: event('AnalysisFinished', 'FACTS_INFERENCE', 'inference.finished', AnalysisFinished),
  analysisEnded: event('AnalysisEnded', 'FACTS_REPORTS', 'reports.analysis_ended', AnalysisEnded),
  contentGenerated: event('ContentGenerated', 'FACTS_CONTENT', 'content.generated', ContentGenerated),
  publicationChanged: event('PublicationChanged', 'FACTS_SHARE', 'share.publication_changed', PublicationChanged),
} as const;
