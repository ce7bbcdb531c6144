import { generateContent } from '../document/generate';
import { API_URL, type Car, CONTENT_REVISION, snapshotOf } from '../fixtures/snapshot.fixture';

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
const ifShort = (text: string): string => (onOneLine(text).length <= 120 ? onOneLine(text) : text);

/** Formatted for review: points, short lists and short objects stand on one line. */
export function goldenOf(car: Car): string {
  const { content } = generateContent(snapshotOf(car), CONTENT_REVISION, API_URL);
  const text = JSON.stringify(content, null, 2);
  return `${text.replace(/\[[\s\d.,[\]-]+\](?=,?\n)/g, onOneLine).replace(/[[{][^[\]{}]*[\]}]/g, ifShort)}\n`;
}
