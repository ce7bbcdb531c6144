export const CLOCK = Symbol('clock');
export const OUTBOUND = Symbol('outbound');
export const LEDGER = Symbol('ledger');
export const CLEANING = Symbol('cleaning');

export interface CleaningSettings {
  /** How often the whole store is walked; 0: never. */
  readonly everyMs: number;
  /** How long what nothing refers to stays, beyond the life of an upload target. */
  readonly graceMs: number;
}
