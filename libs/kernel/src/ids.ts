import { randomBytes } from 'node:crypto';

const COUNTER_MAX = 0xfff;
let lastMs = -1;
let counter = 0;

/** Starts low and at random, so that a millisecond has room for two thousand ids and more. */
const nextCounter = (now: number): number => (now === lastMs ? Math.min(counter + 1, COUNTER_MAX) : randomBytes(2).readUInt16BE() & 0x7ff);

/**
 * UUID version 7: ordered by time, so that an index over ids grows at one end. Within a millisecond the 12 bits after the time
 * count up (RFC 9562, section 6.2, method 1), so that what one process makes later also sorts later.
 */
export function newId(now: number = Date.now()): string {
  counter = nextCounter(now);
  lastMs = now;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** When a version 7 id was made. */
export const timeOfId = (id: string): Date => new Date(msOfId(id));

/** The id itself where its time is later than that of the previous one, else moved behind it: processes have clocks of their own. */
export function idAfter(previous: string, id: string): string {
  const hex = Math.max(msOfId(id), msOfId(previous) + 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`;
}

/** Sorts before every version 7 id of that time and after, and behind those made earlier. */
export function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
