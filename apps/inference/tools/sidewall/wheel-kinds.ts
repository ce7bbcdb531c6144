import type { Lettering } from '../../src/samples/sidewall-sample';

/** What a kind of wheel has instead of what hard wheels usually have. */
export interface Kind {
  readonly letters?: Pick<Lettering, 'letterHeight' | 'gap'>;
  readonly relief?: number;
  readonly squeeze?: number;
  readonly scale?: number;
  /** Without colours and with hard contrasts, as a scanner or copier makes of a printed photograph. */
  readonly isScan?: boolean;
  /** A second size on the other half of the wheel: the same one, or another one. */
  readonly second?: { readonly isSame: boolean; readonly turnDeg: number };
}

type Between = (from: number, to: number) => number;

const turned = (between: Between) => between(120, 240);

/** Besides the usual hard wheels, kinds on which neither the networks nor a threshold were fitted. */
export const KINDS = {
  usual: () => ({}),
  large: (between) => ({ letters: { letterHeight: between(58, 72) } }),
  faint: (between) => ({ relief: between(0.06, 0.15) }),
  spaced: (between) => ({ letters: { gap: between(0.35, 0.7) } }),
  scan: () => ({ isScan: true }),
  small: (between) => ({ scale: between(0.25, 0.35) }),
  /** Seen at 37 to 52 degrees. */
  oblique: (between) => ({ squeeze: between(0.62, 0.8) }),
  twice: (between) => ({ second: { isSame: true, turnDeg: turned(between) } }),
  contradicting: (between) => ({ second: { isSame: false, turnDeg: turned(between) } }),
} as const satisfies Record<string, (between: Between) => Kind>;

export type WheelKind = keyof typeof KINDS;

export const isWheelKind = (name: string): name is WheelKind => name in KINDS;
