import { generateContent } from '../generate';
import { API_URL, type Car, CONTENT_REVISION, snapshotOf } from '../snapshot.fixture';

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
const ifShort = (text: string): string => (onOneLine(text).length <= 120 ? onOneLine(text) : text);

/** As a reviewer reads it: points, and small lists and objects, stand on one line. */
export function goldenOf(car: Car): string {
  const { content } = generateContent(snapshotOf(car), CONTENT_REVISION, API_URL);
  const text = JSON.stringify(content, null, 2);
  return `${text.replace(/\[[\s\d.,[\]-]+\](?=,?\n)/g, onOneLine).replace(/[[{][^[\]{}]*[\]}]/g, ifShort)}\n`;
}
