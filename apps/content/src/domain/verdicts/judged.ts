type Input = string | number | boolean | null;

/** A verdict with the rule, inputs and thresholds behind it. Texts use the verdict, the explanation for support uses the rest. */
export interface Judged<T extends string = string> {
  readonly verdict: T;
  /** Text for support, in English. */
  readonly rule: string;
  readonly inputs: Readonly<Record<string, Input | readonly Input[]>>;
  readonly thresholds: Readonly<Record<string, number>>;
}
