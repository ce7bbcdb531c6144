import type { Standing } from './standing';

/** What an icon and its colours say. `near`: close to a limit. `neutral`: neither good nor bad. `waiting` and `retake` are of photographs. */
export const SIGN_NAMES = ['good', 'caution', 'near', 'critical', 'unknown', 'neutral', 'waiting', 'retake'] as const;
export type SignName = (typeof SIGN_NAMES)[number];

interface Sign {
  /** In a square of 16 units. Each sign has its own shape, so that nothing depends on colour alone. */
  readonly icon: { readonly outline: string; readonly sign: string; readonly dash?: readonly [number, number] };
  readonly light: Tone;
  readonly dark: Tone;
}

/** Text and icon, and the surface under them, with a contrast of 4.5 at least. */
interface Tone {
  readonly ink: string;
  readonly paper: string;
}

const CIRCLE = 'M1 8a7 7 0 1 1 14 0a7 7 0 1 1-14 0Z';
const GREY = { light: { ink: '#47505a', paper: '#e8ecef' }, dark: { ink: '#c4ccd5', paper: '#2b3138' } };

/** The only table of icons and colours: the pages of share, its PDF and the console draw from it. */
export const SIGNS: Readonly<Record<SignName, Sign>> = {
  good: {
    icon: { outline: CIRCLE, sign: 'm4.8 8.3 2.2 2.2 4.3-4.7' },
    light: { ink: '#0a6b3d', paper: '#e2f4e9' },
    dark: { ink: '#7fdba6', paper: '#10331f' },
  },
  caution: {
    icon: { outline: 'M8 1.2 15.2 14.4H.8Z', sign: 'M8 6v4M8 12v.4' },
    light: { ink: '#7a4a00', paper: '#fdf0d3' },
    dark: { ink: '#f6c773', paper: '#3a2b0b' },
  },
  near: {
    icon: { outline: 'M8 .8 15.2 8 8 15.2.8 8Z', sign: 'M8 4.6v4.2M8 11v.4' },
    light: { ink: '#8f3400', paper: '#ffe3cf' },
    dark: { ink: '#ffb085', paper: '#43220c' },
  },
  critical: {
    icon: { outline: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z', sign: 'm5.6 5.6 4.8 4.8m0-4.8-4.8 4.8' },
    light: { ink: '#a3121f', paper: '#fde4e5' },
    dark: { ink: '#ff9da2', paper: '#45171a' },
  },
  unknown: { icon: { outline: CIRCLE, sign: 'M6.2 6.4a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.8.5-.8 1M8 11.4v.4', dash: [2.6, 1.8] }, ...GREY },
  neutral: { icon: { outline: CIRCLE, sign: 'M8 7.2v4.3M8 4.5v.4' }, ...GREY },
  waiting: {
    icon: { outline: CIRCLE, sign: 'M8 4v4.3l2.8 1.7' },
    light: { ink: '#14508a', paper: '#e3eef8' },
    dark: { ink: '#a5d0f7', paper: '#1d3347' },
  },
  retake: {
    icon: { outline: 'M1 4.5h3L5.3 2.6h5.4L12 4.5h3v9H1Z', sign: 'm6 7 4 4m0-4-4 4' },
    light: { ink: '#5f3dc4', paper: '#ece7fb' },
    dark: { ink: '#c9bafc', paper: '#2d2350' },
  },
};

/** A report that is measured never looks good because of that alone: its verdict decides. */
export const SIGN_OF: Readonly<Record<Standing, SignName>> = {
  critical: 'critical',
  near_limit: 'near',
  caution: 'caution',
  good: 'good',
  unknown: 'unknown',
  unjudged: 'waiting',
  processing: 'waiting',
  awaiting_images: 'waiting',
  partial: 'retake',
  failed: 'retake',
  content_failed: 'retake',
};
