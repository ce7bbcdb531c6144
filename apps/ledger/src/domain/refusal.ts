import type { ErrorCode } from '@tire/kernel';

/** A command that the rules do not allow, with a code of the public error catalogue. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly param: string | null;
}

export const refuse = (code: ErrorCode, param: string | null = null): Refusal => ({ refused: code, param });

export const isRefusal = (value: object): value is Refusal => 'refused' in value;
