/** Longer names are no slips of a known one. */
const NAME_LENGTH_MAX = 40;
/** A shorter beginning or end has too little in common with a name. */
const PART_LENGTH_MIN = 4;

/** Names differ in spelling only: `plateNumber`, `Plate-Number` and `plate_number` are one. */
const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The known name that is probably meant, or null. */
export function meantName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > NAME_LENGTH_MAX) return null;
  const written = letters(unknown);
  if (written === '') return null;
  const ways = [
    (name: string) => name === written,
    (name: string) => distance(name, written) <= (name.length > 5 ? 2 : 1),
    (name: string) => isPart(written, name) || isPart(name, written),
  ];
  for (const isMeant of ways) {
    const found = known.find((name) => isMeant(letters(name)));
    if (found !== undefined) return found;
  }
  return null;
}

const isPart = (part: string, whole: string): boolean => part.length >= PART_LENGTH_MIN && (whole.startsWith(part) || whole.endsWith(part));

/** Of Levenshtein: characters that are added, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = row[at - 1]! + (character === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
