import type { Words } from './words';

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' });
const count = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`;
const age = (months: number): string =>
  [months >= 12 && count(Math.floor(months / 12), 'year'), count(months % 12, 'month')].filter(Boolean).join(', ');

export const ENGLISH: Words = {
  locale: 'en-US',
  previewLocale: 'en_US',
  card: 'card-en.png',
  preview: 'See the tread depth and condition of the tires.',
  title: 'Tire inspection report',
  pdfLink: 'View as PDF',
  pdfName: (day) => `tire-inspection-report${day}.pdf`,
  footnote: 'Results are estimated from photographs and entered values. The actual condition may differ.',
  plate: 'License plate',
  inspected: 'Inspected',
  inspectedAt: (at) => `${DATE.format(at)} (Korea time)`,
  positions: { front_left: 'Front left', front_right: 'Front right', rear_left: 'Rear left', rear_right: 'Rear right' },

  tiresTitle: 'Lowest tread depth of each tire',
  unknown: 'Unknown',
  noDepth: 'Depth unknown',
  noGroove: 'No groove found',
  baldPlace: 'No pattern in places',
  depth: (digits) => `${digits}\u00a0mm`,
  about: 'about',
  range: (low, high) => `${low}–${high}`,
  kilometres: (km) => km.toLocaleString('en-US'),
  remaining: (range) => `About ${range}\u00a0km to the wear limit`,
  remainingNote: (limit) =>
    `The remaining distance is an estimate down to the wear limit (${limit}), assuming 1.2\u00a0mm of wear per 10,000\u00a0km.`,

  limit: 'Wear limit',
  threshold: 'Recommended minimum',
  lowest: 'Lowest groove',
  newTire: 'New tire',
  currentTire: 'Current tire',
  metres: (digits) => `about ${digits}\u00a0m`,
  passesAt: (speedKmh) => `Where a new tire has stopped, the current tire is estimated to be still moving at about ${speedKmh}\u00a0km/h.`,
  frontDelta: 'Front left to right',
  rearDelta: 'Rear left to right',
  front: 'Front',
  rear: 'Rear',

  imagesTitle: 'Photographs',
  imageNotRead: 'This photograph could not be loaded.',
  treadOf: (position) => `${position}, tread`,
  sidewallOf: (position) => `${position}, sidewall`,
  sideKnown: {
    depthsOrder: 'From the outside (mm)',
    baldPlaces: { whole: 'whole width', first_shoulder: 'outer edge', center: 'center', last_shoulder: 'inner edge' },
  },
  sideUnknown: {
    depthsOrder: 'From the left (mm)',
    baldPlaces: {
      whole: 'whole width',
      first_shoulder: 'left edge of the photograph',
      center: 'center',
      last_shoulder: 'right edge of the photograph',
    },
  },
  intervalsNote: 'In brackets: the range in which the true depth is estimated to be. One in ten may lie outside it.',
  bald: 'No pattern',
  baldZone: (places, percent) => `Seems to have no pattern: ${places.join(', ')} (about ${percent}% of the visible width)`,
  wornSmooth: 'No groove was found.',
  sameImage: (positions) => `The same or nearly the same photograph: ${positions.join(', ')}`,
  noSize: 'Size unknown',
  loadIndex: (index) => `Load index ${index}`,
  manufactured: (year, week, months) => `Made in week ${week} of ${year} (${age(months)} old when inspected)`,
  olderThanSix: 'Made at least 6 years ago.',
  olderThanTen: 'Made at least 10 years ago.',
};
