import { randomBytes } from 'node:crypto';

const COUNTER_MAX = 0xfff;
/**
 * How many milliseconds have a counter at once. Ids come from the clock of the machine and from clocks that are passed in.
 * The map itself keeps the recent ones, because the kernel has no dependencies.
 */
const RECENT = 256;
const counters = new Map<number, number>();

/** Starts at a random low value, so that a millisecond has room for at least two thousand ids. */
function nextCounter(now: number): number {
  const last = counters.get(now);
  const next = last === undefined ? randomBytes(2).readUInt16BE() & 0x7ff : Math.min(last + 1, COUNTER_MAX);
  // Moved to the end, so that the first entry is the least recently used one.
  counters.delete(now);
  counters.set(now, next);
  if (counters.size > RECENT) counters.delete(counters.keys().next().value!);
  return next;
}

/**
 * UUID version 7: ordered by time, so that an index over ids grows at one end. Within a millisecond the 12 bits after the time
 * count up (RFC 9562, section 6.2, method 1), so that the ids of one process sort in the order of their creation.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | nextCounter(now), 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** The creation time of a version 7 id. */
export const timeOfId = (id: string): Date => new Date(msOfId(id));

/** The id, moved behind the previous one if its time is not later. The clocks of two processes may differ. */
export function idAfter(previous: string, id: string): string {
  const hex = Math.max(msOfId(id), msOfId(previous) + 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`;
}

/** Sorts before every version 7 id of this time or later, and after every earlier one. */
export function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
