/**
 * One text for one value: keys in code point order, nothing that JSON cannot carry. The bytes are hashed and served as they are.
 * Written as bytes in one pass: nine tenths of a document are the points of its masks, whose digits cost less than a text of them
 * and its encoding, and much less than JSON.stringify on an ordered copy.
 */
export function canonicalJson(value: unknown): Buffer {
  try {
    const end = write(value, 0);
    return Buffer.from(page.subarray(0, end));
  } catch (error) {
    throw new Error(faultOf(value, '$') ?? 'Not written as JSON', { cause: error });
  }
}

const FIRST_BYTES = 64 * 1_024;
const LONGEST_NUMBER = 32;
/** Of a character in UTF-8; one outside of the basic plane takes four for two units. */
const BYTES_PER_UNIT = 3;

const [ZERO, POINT, COMMA, COLON, QUOTE, BACKSLASH] = [0x30, 0x2e, 0x2c, 0x3a, 0x22, 0x5c];
const [ARRAY, END_OF_ARRAY, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Coordinates come with at most five decimals, so there are few different ones: what String writes of them stands here, without 0. */
const DECIMALS = 5;
const STEPS = 10 ** DECIMALS;
const DIGITS = new Uint8Array(STEPS * DECIMALS);
const DIGIT_COUNTS = new Uint8Array(STEPS);
for (let step = 1; step < STEPS; step += 1) {
  const digits = String(step).padStart(DECIMALS, '0').replace(/0+$/, '');
  DIGITS.set(Buffer.from(digits, 'latin1'), step * DECIMALS);
  DIGIT_COUNTS[step] = digits.length;
}

const ENCODER = new TextEncoder();

/** Stays from document to document and grows to the largest. Every function writes at a place in it and returns the place behind. */
let page: Uint8Array = new Uint8Array(FIRST_BYTES);

function reserve(at: number, count: number): void {
  if (at + count <= page.length) return;
  const larger = new Uint8Array(2 * (at + count));
  larger.set(page);
  page = larger;
}

function byte(value: number, at: number): number {
  if (at === page.length) reserve(at, 1);
  page[at] = value;
  return at + 1;
}

function write(value: unknown, at: number): number {
  if (typeof value === 'number') return writeNumber(value, at);
  if (typeof value === 'string') return writeText(value, at);
  if (value === null || typeof value === 'boolean') return writeAscii(String(value), at);
  if (Array.isArray(value)) return writeArray(value, at);
  if (typeof value === 'object') return writeObject(value as Readonly<Record<string, unknown>>, at);
  throw new TypeError(typeof value);
}

function writeArray(items: readonly unknown[], start: number): number {
  let at = byte(ARRAY, start);
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) at = byte(COMMA, at);
    const item = items[index];
    at = typeof item === 'number' ? writeNumber(item, at) : write(item, at);
  }
  return byte(END_OF_ARRAY, at);
}

function writeObject(members: Readonly<Record<string, unknown>>, start: number): number {
  let at = byte(OBJECT, start);
  for (const key of Object.keys(members).sort()) {
    const value = members[key];
    if (value === undefined) continue;
    if (at > start + 1) at = byte(COMMA, at);
    at = write(value, byte(COLON, writeText(key, at)));
  }
  return byte(END_OF_OBJECT, at);
}

function writeNumber(value: number, start: number): number {
  if (!Number.isFinite(value)) throw new TypeError('number');
  const step = Math.round(value * STEPS);
  if (step <= 0 || step >= STEPS || step / STEPS !== value) return writeAscii(String(value), start);
  reserve(start, LONGEST_NUMBER);
  const to = page;
  to[start] = ZERO;
  to[start + 1] = POINT;
  const count = DIGIT_COUNTS[step]!;
  for (let digit = 0; digit < count; digit += 1) to[start + 2 + digit] = DIGITS[step * DECIMALS + digit]!;
  return start + 2 + count;
}

function writeText(text: string, start: number): number {
  reserve(start, text.length + 2);
  let at = start;
  page[at++] = QUOTE;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return writeEncoded(JSON.stringify(text), start);
    page[at++] = unit;
  }
  page[at++] = QUOTE;
  return at;
}

function writeEncoded(json: string, at: number): number {
  reserve(at, BYTES_PER_UNIT * json.length);
  return at + ENCODER.encodeInto(json, page.subarray(at)).written;
}

function writeAscii(text: string, start: number): number {
  reserve(start, text.length);
  for (let index = 0; index < text.length; index += 1) page[start + index] = text.charCodeAt(index);
  return start + text.length;
}

/** Sought only where one was met: who writes keeps no record of the way. */
function faultOf(value: unknown, place: string): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `Not a finite number (at ${place})`;
  if (typeof value !== 'object') return `JSON has no ${typeof value} (at ${place})`;
  const parts: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [`[${index}]`, item])
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [`.${key}`, member]);
  for (const [name, part] of parts) {
    const fault = faultOf(part, place + name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
