import { unbroken } from './unbroken';
import { momentIn } from './moment';
import type { Words } from './words';

const count = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`;
const age = (months: number): string =>
  [months >= 12 && count(Math.floor(months / 12), 'year'), count(months % 12, 'month')].filter(Boolean).join(', ');

export const ENGLISH: Words = {
  locale: 'en-US',
  language: 'en',
  languageName: 'English',
  previewLocale: 'en_US',
  card: 'card-en.png',
  preview: 'See the tread depth and condition of the tires.',
  title: 'Tire inspection report',
  pdfLink: 'View as PDF',
  pdfName: (day) => `tire-inspection-report${day}.pdf`,
  samples: 'This is a test report. It holds the fixed values of sample photographs; no real tire was measured.',
  footnote:
    'Results are estimated from photos and entered values. The actual condition may differ. Damage such as cuts, bulges or exposed cords is ' +
    'not judged.',
  footnoteEntered:
    'Results are calculated from entered values. The actual condition may differ. Damage such as cuts, bulges or exposed cords is not judged.',
  phone: 'Phone',
  openingHours: 'Opening hours',
  logo: 'Company logo',
  plate: 'License plate',
  inspected: 'Inspected',
  inspectedAt: (at, zone) => `${momentIn('en-US', zone, at)} (${zone === 'Asia/Seoul' ? 'Korea time' : zone})`,
  positions: { front_left: 'Front left', front_right: 'Front right', rear_left: 'Rear left', rear_right: 'Rear right' },

  tiresTitle: 'Lowest tread depth of each tire',
  unknown: 'Unknown',
  noDepth: 'Depth unknown',
  tireNotKnown: 'Tire not known',
  noGroove: 'No groove found',
  baldPlace: 'No pattern in places',
  partUnseen: 'Checked in part only',
  depth: (digits) => unbroken(`${digits} mm`),
  about: 'about',
  range: (low, high) => unbroken(`${low}–${high}`),
  kilometres: (km) => km.toLocaleString('en-US'),
  remainingAtMost: (km) => unbroken(`At most about ${km} km to the wear limit`),
  remaining: (range) => unbroken(`About ${range} km to the wear limit`),
  remainingNote: (limit) =>
    unbroken(`The remaining distance is an estimate down to the wear limit (${limit}), assuming 1.2 mm of wear per 10,000 km.`),

  limit: 'Wear limit',
  threshold: 'Recommended minimum',
  lowest: 'Shallowest groove',
  newTire: 'New tire',
  currentTire: 'Current tire',
  metres: (digits) => unbroken(`about ${digits} m`),
  atLeast: (distance) => unbroken(`${distance} or more`),
  passesAt: (speedKmh) =>
    unbroken(`Where a new tire has stopped, the current tire is estimated to be still moving at about ${speedKmh} km/h.`),
  frontDelta: 'Front left to right',
  rearDelta: 'Rear left to right',
  front: 'Front',
  rear: 'Rear',

  imagesTitle: 'Photos',
  imageEnded: 'The photo was deleted after its retention period. The results stay the same.',
  imageNotRead: 'This photo could not be loaded.',
  treadOf: (position) => `${position}, tread`,
  sidewallOf: (position) => `${position}, sidewall`,
  sideKnown: {
    depthsOrder: 'From the outside (mm)',
    ends: ['Outer', 'Inner'],
    baldPlaces: { whole: 'whole width', first_shoulder: 'outer edge', center: 'center', last_shoulder: 'inner edge' },
  },
  sideUnknown: {
    depthsOrder: 'From the left (mm)',
    ends: ['Left', 'Right'],
    baldPlaces: {
      whole: 'whole width',
      first_shoulder: 'left edge of the photo',
      center: 'center',
      last_shoulder: 'right edge of the photo',
    },
  },
  intervalsNote: 'In brackets: the range in which the true depth is estimated to be. It may lie outside this range.',
  noRange: 'It is not known how exact this measurement is.',
  bald: 'No pattern',
  baldZone: (places, percent) => `Seems to have no pattern: ${places.join(', ')} (about ${percent}% of the visible width)`,
  wornSmooth: 'No groove was found.',
  outsideImage: (places) => `Cut off by the photo: ${places.join(', ')}`,
  grooveUnclear: (places) => `Not clear whether there is a groove: ${places.join(', ')}`,
  sameImage: (positions) => `The same or nearly the same photo: ${positions.join(', ')}`,
  noSize: 'Size unknown',
  loadIndex: (index) => `Load index ${index}`,
  manufactured: (year, week, months) => `Made in week ${week} of ${year} (${age(months)} old when inspected)`,
  olderThanSix: 'By the date code, at least 6 years old.',
  olderThanTen: 'By the date code, at least 10 years old.',
};
