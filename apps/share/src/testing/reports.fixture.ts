import { Content } from '@tire/contracts/api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onImages } from './images-of-reports.fixture';

/** The documents of content 2.0, in each language. */
export const LOCALES = ['ko-KR', 'en-US'] as const;
export type Locale = (typeof LOCALES)[number];

const GOLDENS = join(__dirname, '../../../content/src/domain/goldens');
const folderOf = (locale: Locale): string => join(GOLDENS, `2.0-${locale}`);

/** Those that differ most in what page and PDF show. */
export const REPORT_NAMES = [
  'good',
  'critical-likely-and-caution',
  'bald-shoulder-side-unknown',
  'worn-smooth',
  'part-outside-photograph',
  'unread-and-near-limit',
  'wear-side-known',
  'similar-photograph-critical',
  'sizes-mixed-front',
  'sizes-one-of-each-axle',
  'old-tires',
  'manual-critical',
] as const;

export function reportFixture(name: string, locale: Locale): Content {
  const content = Content.parse(JSON.parse(readFileSync(join(folderOf(locale), `${name}.json`), 'utf8')));
  return { ...content, render_data: onImages(content) };
}

export const everyReport = (locale: Locale): [name: string, Content][] =>
  readdirSync(folderOf(locale))
    .filter((file) => file.endsWith('.json'))
    .map((file) => [`${file.slice(0, -'.json'.length)} ${locale}`, reportFixture(file.slice(0, -'.json'.length), locale)]);
