import type { Look } from '../page/drawings/drawing';
import { SIGNS } from '@tire/kernel';
import type { Sign } from '../page/facts/severity';

/** The light colours of the page, which also suit paper. */
export const COLOURS = {
  text: '#171b20',
  muted: '#525d69',
  line: '#d9dfe5',
  soft: '#f0f2f5',
  steel: '#a9b4bf',
  paper: '#ffffff',
  groove: '#ffd54a',
  mark: '#14181c',
  bald: '#a3121f',
  baldStripe: '#ff5a64',
};

export const TONES: Record<Sign, { readonly ink: string; readonly paper: string }> = {
  good: SIGNS.good.light,
  caution: SIGNS.caution.light,
  critical: SIGNS.critical.light,
  unknown: SIGNS.unknown.light,
  neutral: SIGNS.neutral.light,
};

interface Ink {
  readonly fill?: string;
  readonly stroke?: string;
  /** The width of a stroke in units of the drawing. */
  readonly strokeUnits?: number;
  readonly dashUnits?: readonly [number, number];
}

const wheel = (fill: string): Ink => ({ fill, stroke: COLOURS.paper, strokeUnits: 1.5 });

export const INKS: Record<Look, Ink> = {
  body: { fill: '#e9edf1', stroke: COLOURS.steel, strokeUnits: 1.5 },
  glass: { fill: COLOURS.paper, stroke: COLOURS.steel, strokeUnits: 1 },
  line: { stroke: COLOURS.steel, strokeUnits: 1 },
  'wheel good': wheel(TONES.good.ink),
  'wheel caution': wheel(TONES.caution.ink),
  'wheel critical': wheel(TONES.critical.ink),
  'wheel unknown': wheel(COLOURS.steel),
  'wheel neutral': wheel(COLOURS.steel),
  rib: { fill: COLOURS.muted },
  worn: { fill: TONES.critical.ink },
  vague: { stroke: COLOURS.muted, strokeUnits: 0.8, dashUnits: [2, 1.5] },
  new: { stroke: COLOURS.muted, strokeUnits: 0.8, dashUnits: [2, 2] },
  carcass: { fill: COLOURS.steel },
  threshold: { stroke: TONES.caution.ink, strokeUnits: 0.8, dashUnits: [3, 2] },
  limit: { stroke: TONES.critical.ink, strokeUnits: 0.8, dashUnits: [3, 2] },
  series: { stroke: COLOURS.muted, strokeUnits: 1 },
  interval: { stroke: COLOURS.text, strokeUnits: 1 },
  point: { fill: COLOURS.text },
  doubt: { fill: COLOURS.paper, stroke: COLOURS.text, strokeUnits: 1 },
};

export interface TextStyle {
  readonly font: 'regular' | 'bold';
  readonly sizePt: number;
  readonly linePt: number;
  readonly colour: string;
}

const style = (font: TextStyle['font'], sizePt: number, linePt: number, colour = COLOURS.text): TextStyle => ({
  font,
  sizePt,
  linePt,
  colour,
});

export const STYLES = {
  kind: style('regular', 9.5, 14, COLOURS.muted),
  verdict: style('bold', 13, 20),
  title: style('bold', 20, 28),
  heading: style('bold', 12.5, 18),
  body: style('regular', 9.5, 14),
  strong: style('bold', 10, 15),
  muted: style('regular', 10, 15, COLOURS.muted),
  depth: style('bold', 17, 22),
  depthAbout: style('bold', 12, 17),
  term: style('regular', 9, 14, COLOURS.muted),
  fact: style('bold', 11, 16),
  mark: style('bold', 6.5, 7.8, COLOURS.paper),
  small: style('regular', 8.5, 12.5, COLOURS.muted),
  smallStrong: style('bold', 8.5, 12.5),
  chip: style('bold', 7.8, 11.5),
};

export const inked = (of: TextStyle, colour: string): TextStyle => ({ ...of, colour });
