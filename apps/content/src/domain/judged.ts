type Input = string | number | boolean | null;

/** A verdict with what led to it. The texts take the verdict, support is shown the rest; both come of one decision. */
export interface Judged<T extends string = string> {
  readonly verdict: T;
  /** In English, for support. */
  readonly rule: string;
  readonly inputs: Readonly<Record<string, Input | readonly Input[]>>;
  readonly thresholds: Readonly<Record<string, number>>;
}
