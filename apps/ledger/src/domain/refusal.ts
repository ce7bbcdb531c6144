import type { ErrorCode, Fault } from '@tire/kernel';

/** A command that the rules do not allow, with a code of the public error catalogue. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly param: string | null;
  /** Every fault of the request, the first of which is the param; empty where the code says all. */
  readonly faults: readonly Fault[];
  /** Where the message of the code does not suffice. */
  readonly message?: string;
  /** The existing report that the request conflicts with. */
  readonly reportId?: string;
}

export const refuse = (code: Exclude<ErrorCode, 'validation_error'>, param: string | null = null): Refusal => ({
  refused: code,
  param,
  faults: [],
});

export const refuseFaults = (faults: readonly [Fault, ...Fault[]]): Refusal => ({
  refused: 'validation_error',
  ...faults[0],
  faults,
});

export const isFaulty = (faults: readonly Fault[]): faults is [Fault, ...Fault[]] => faults.length > 0;

export const isRefusal = (value: object): value is Refusal => 'refused' in value;
