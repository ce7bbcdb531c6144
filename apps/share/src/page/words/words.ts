import type { Content, ContentTire } from '@tire/contracts/api';
import type { Language } from './language';
import { ENGLISH } from './words-en';
import { KOREAN } from './words-ko';

export type Position = ContentTire['position'];
type BaldPlace = NonNullable<ContentTire['bald']>['places'][number];

/** The places of bald zones, and the order of the grooves, depend on whether the outside of the car is known in the image. */
export interface Sided {
  readonly depthsOrder: string;
  /** The two ends of a drawing of the tread. */
  readonly ends: readonly [string, string];
  readonly baldPlaces: Readonly<Record<BaldPlace, string>>;
}

/**
 * The words of page and PDF in one language. Verdicts and their sentences are in the document; these words name and lay out its facts.
 * Arguments are digits ("1.7"), labels of positions, and texts that these functions made.
 */
export interface Words {
  readonly locale: string;
  readonly language: Language;
  /** The name of the language in that language. */
  readonly languageName: string;
  /** The locale of a messenger's preview. */
  readonly previewLocale: string;
  readonly preview: string;
  /** The file of the preview image. It is the same for every verdict: a chat must not show what only the page may show. */
  readonly card: string;
  readonly title: string;
  readonly pdfLink: string;
  readonly pdfName: (day: string) => string;
  /** The first words of a report whose values come from photographs of the sandbox. */
  readonly samples: string;
  readonly footnote: string;
  /** The footnote of a manual report. */
  readonly footnoteEntered: string;
  readonly phone: string;
  readonly openingHours: string;
  /** The text for a logo without a name beside it. */
  readonly logo: string;
  readonly plate: string;
  readonly inspected: string;
  readonly inspectedAt: (at: Date, timeZone: string) => string;
  readonly positions: Readonly<Record<Position, string>>;

  readonly tiresTitle: string;
  readonly unknown: string;
  readonly noDepth: string;
  /** The text in place of a depth whose image is in the slot of another tire too. */
  readonly tireNotKnown: string;
  readonly noGroove: string;
  /** The text under the depth of a tire that has lost its pattern in places. */
  readonly baldPlace: string;
  /** The text under the depth of a tire of which a part was not seen. */
  readonly partUnseen: string;
  readonly depth: (digits: string) => string;
  readonly about: string;
  readonly range: (low: string, high: string) => string;
  readonly kilometres: (km: number) => string;
  /** Where the wear limit may be reached already. */
  readonly remainingAtMost: (km: string) => string;
  readonly remaining: (range: string) => string;
  readonly remainingNote: (limit: string) => string;

  readonly limit: string;
  readonly threshold: string;
  readonly lowest: string;
  readonly newTire: string;
  readonly currentTire: string;
  readonly metres: (digits: string) => string;
  /** A distance whose far end is not known. */
  readonly atLeast: (distance: string) => string;
  readonly passesAt: (speedKmh: number) => string;
  readonly frontDelta: string;
  readonly rearDelta: string;
  readonly front: string;
  readonly rear: string;

  readonly imagesTitle: string;
  /** In place of a photograph whose time is over. */
  readonly imageEnded: string;
  readonly imageNotRead: string;
  readonly treadOf: (position: string) => string;
  readonly sidewallOf: (position: string) => string;
  readonly sideKnown: Sided;
  readonly sideUnknown: Sided;
  readonly intervalsNote: string;
  /** The note on depths of images without an interval. */
  readonly noRange: string;
  readonly bald: string;
  readonly baldZone: (places: readonly string[], percent: number) => string;
  readonly wornSmooth: string;
  readonly outsideImage: (places: readonly string[]) => string;
  readonly grooveUnclear: (places: readonly string[]) => string;
  readonly sameImage: (positions: readonly string[]) => string;
  readonly noSize: string;
  readonly loadIndex: (index: number) => string;
  readonly manufactured: (year: number, week: number, ageMonths: number) => string;
  readonly olderThanSix: string;
  readonly olderThanTen: string;
}

export const LANGUAGES: readonly Words[] = [KOREAN, ENGLISH];

/** A locale without words of its own has Korean ones. */
export const wordsOf = ({ content_profile: { locale } }: Content): Words => LANGUAGES.find((words) => words.locale === locale) ?? KOREAN;
