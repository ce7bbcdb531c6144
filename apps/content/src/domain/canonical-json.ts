/**
 * One text for one value: keys in code point order, nothing that JSON cannot carry. The bytes are hashed and served as they are.
 * Written as bytes in one pass, which costs half of JSON.stringify on an ordered copy.
 */
export function canonicalJson(value: unknown): Buffer {
  try {
    const end = write(value, 0);
    return Buffer.from(page.subarray(0, end));
  } catch (error) {
    throw new Error(faultOf(value, '$') ?? 'Not written as JSON', { cause: error });
  }
}

/** A part that is printed already, in ASCII and as it would be printed here: who makes one has seen to that. */
export class PrintedJson {
  constructor(readonly text: string) {}
}

const FIRST_BYTES = 64 * 1_024;
/** Of a character in UTF-8; one outside of the basic plane takes four for two units. */
const BYTES_PER_UNIT = 3;

const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c];
const [ARRAY, END_OF_ARRAY, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Stays from document to document and grows to the largest. Every function writes at a place in it and returns the place behind. */
let page = Buffer.alloc(FIRST_BYTES);

function reserve(at: number, count: number): void {
  if (at + count <= page.length) return;
  const larger = Buffer.alloc(2 * (at + count));
  larger.set(page);
  page = larger;
}

function byte(value: number, at: number): number {
  if (at === page.length) reserve(at, 1);
  page[at] = value;
  return at + 1;
}

function write(value: unknown, at: number): number {
  if (typeof value === 'string') return writeText(value, at);
  if (typeof value === 'number') return writeNumber(value, at);
  if (value === null || typeof value === 'boolean') return writeAscii(String(value), at);
  if (Array.isArray(value)) return writeArray(value, at);
  if (value instanceof PrintedJson) return writeAscii(value.text, at);
  if (typeof value === 'object') return writeObject(value as Readonly<Record<string, unknown>>, at);
  throw new TypeError(typeof value);
}

function writeArray(items: readonly unknown[], start: number): number {
  let at = byte(ARRAY, start);
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) at = byte(COMMA, at);
    at = write(items[index], at);
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

function writeNumber(value: number, at: number): number {
  if (!Number.isFinite(value)) throw new TypeError('number');
  return writeAscii(String(value), at);
}

/** ASCII and the plain three-byte characters, Korean among them, are written here; of all others JSON.stringify knows the rules. */
function writeText(text: string, start: number): number {
  reserve(start, BYTES_PER_UNIT * text.length + 2);
  const to = page;
  let at = start;
  to[at++] = QUOTE;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f && unit !== QUOTE && unit !== BACKSLASH) {
      to[at++] = unit;
    } else if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) {
      to[at++] = 0xe0 | (unit >> 12);
      to[at++] = 0x80 | ((unit >> 6) & 0x3f);
      to[at++] = 0x80 | (unit & 0x3f);
    } else {
      return writeEncoded(JSON.stringify(text), start);
    }
  }
  to[at++] = QUOTE;
  return at;
}

function writeEncoded(json: string, at: number): number {
  reserve(at, BYTES_PER_UNIT * json.length);
  return at + page.write(json, at, 'utf8');
}

const FEW = 32;

/** A loop is faster than a call of the machine for few characters, and slower for many. */
function writeAscii(text: string, start: number): number {
  reserve(start, text.length);
  if (text.length > FEW) return start + page.write(text, start, 'latin1');
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
