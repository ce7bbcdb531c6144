import type { Outcome, Retries } from '../domain/sending';

/** What a provider gets: one receiver. */
export interface OutgoingMessage {
  /** The same at each attempt, so that a provider or a receiver can recognize a repetition. */
  readonly id: string;
  readonly to: string;
  /** Empty for a text message. */
  readonly subject: string;
  readonly text: string;
  /** Where a program stops further messages of this kind with one POST (RFC 8058). */
  readonly stopUrl?: string;
}

/** A provider of one channel. It does not throw, and what it returns names no receiver. */
export interface Carrier {
  readonly retries: Retries;
  send(message: OutgoingMessage): Promise<Outcome>;
}

export type Channel = 'email' | 'sms';
export type Carriers = Readonly<Partial<Record<Channel, Carrier>>>;
export const CARRIERS = Symbol('Carriers');
