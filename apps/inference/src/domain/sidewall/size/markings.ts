import type { Manufactured, TireSize } from '@tire/contracts/events';
import { compact, certaintyOf, type DecodedText } from '../text/decoded-text';

const MIN_CERTAINTY = 0.85;
// A wrong brand is worse than none, and no table can rule it out.
const MIN_BRAND_CERTAINTY = 0.9;

export interface Service {
  readonly loadIndex: number;
  readonly speedSymbol?: string;
}

// Load indices of cars and vans; speed symbols from 80 km/h.
const LIGHTEST = 65;
const HEAVIEST = 126;
const SPEEDS = 'FGJKLMNPQRSTUHVWYZ';

/** A letter is a speed symbol unless a word begins with it. A second load index is for twin wheels. */
const SERVICE = '\\(?(\\d{2,3})(?!\\d)(/\\d{2,3})?([A-Z](?=XL|EXTRA|REINF|TUBELESS|M\\+S|[^A-Z]|$))?';

/** The service description behind a size: `91W`, `(94Y)`, `109/107T`. */
export function serviceOf(decodedText: DecodedText, { rimDiameterInch }: TireSize): Service | undefined {
  const line = compact(decodedText);
  const [, index, , symbol] = new RegExp(`\\d{2}Z?RF?${rimDiameterInch}C?${SERVICE}`, 'd').exec(line.text)?.indices ?? [];
  if (!index || certaintyOf(line, ...index) < MIN_CERTAINTY) return undefined;
  const loadIndex = Number(line.text.slice(...index));
  if (loadIndex < LIGHTEST || loadIndex > HEAVIEST) return undefined;
  if (!symbol || certaintyOf(line, ...symbol) < MIN_CERTAINTY) return { loadIndex };
  const speedSymbol = line.text.slice(...symbol);
  return SPEEDS.includes(speedSymbol) ? { loadIndex, speedSymbol } : { loadIndex };
}

const CARS_SIZE = new RegExp(`(LT|HL)?\\d{3}/?\\d{2}Z?RF?\\d{2}(C?)${SERVICE}`, 'd');

/** The load index behind a car's size. None for vans, light trucks and high load, whose load indices do not follow the formula. */
export function loadIndexOfCar(decodedText: DecodedText): { readonly loadIndex: number; readonly certainty: number } | undefined {
  const line = compact(decodedText);
  const found = CARS_SIZE.exec(line.text);
  const index = found?.indices?.[3];
  if (!index || found[1] || found[2] || found[4]) return undefined;
  const loadIndex = Number(found[3]);
  return loadIndex < LIGHTEST || loadIndex > HEAVIEST ? undefined : { loadIndex, certainty: certaintyOf(line, ...index) };
}

const WEEK_MS = 7 * 86_400_000;
const MONTH_MS = (365.25 / 12) * 86_400_000;

/** The code behind DOT is plant, size and type, then week and year. Four digits without DOT may be anything. */
export function manufacturedOf(decodedText: DecodedText, today: Date): Manufactured | undefined {
  const line = compact(decodedText);
  const [whole, weekOf, yearOf] = /D[O0]T[A-Z0-9]{5,9}(\d\d)(\d\d)$/d.exec(line.text)?.indices ?? [];
  if (!whole || certaintyOf(line, weekOf![0], yearOf![1]) < MIN_CERTAINTY) return undefined;
  const week = Number(line.text.slice(...weekOf!));
  const year = 2000 + Number(line.text.slice(...yearOf!));
  const ageMs = today.getTime() - (Date.UTC(year, 0, 1) + (week - 1) * WEEK_MS);
  if (week < 1 || week > 53 || ageMs < 0) return undefined;
  return { week, year, ageMonths: Math.floor(ageMs / MONTH_MS) };
}

const BRANDS = [
  'Hankook',
  'Kumho',
  'Nexen',
  'Laufenn',
  'Marshal',
  'Roadstone',
  'Michelin',
  'Bridgestone',
  'Goodyear',
  'Continental',
  'Pirelli',
  'Dunlop',
  'Yokohama',
  'Toyo',
  'Falken',
  'Nokian',
  'Cooper',
  'Maxxis',
  'Firestone',
  'BFGoodrich',
  'Uniroyal',
  'Kleber',
  'Vredestein',
  'Nankang',
  'Sailun',
  'Linglong',
  'Triangle',
];

/** The brand, as a separate word. */
export function brandOf({ text, certainty }: DecodedText): string | undefined {
  for (const brand of BRANDS) {
    const from = ` ${text.toUpperCase()} `.indexOf(` ${brand.toUpperCase()} `);
    if (from >= 0 && certaintyOf({ text, certainty }, from, from + brand.length) >= MIN_BRAND_CERTAINTY) return brand;
  }
  return undefined;
}
