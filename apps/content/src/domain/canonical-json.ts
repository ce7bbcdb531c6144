/**
 * One text for one value: keys in code point order, nothing that JSON cannot carry. The bytes are hashed and served as they are.
 * Written out in one pass and not by JSON.stringify on an ordered copy: nine tenths of a document are the points of its masks, and
 * this takes less than half of the time.
 */
export const canonicalJson = (value: unknown): string => write(value, []);

type Path = (string | number)[];

function write(value: unknown, path: Path): string {
  if (typeof value === 'number') return writeNumber(value, path);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return writeArray(value, path);
  if (typeof value === 'object') return writeObject(value, path);
  throw new Error(`JSON has no ${typeof value} (at ${named(path)})`);
}

function writeArray(items: readonly unknown[], path: Path): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    path.push(index);
    text += (index === 0 ? '' : ',') + write(items[index], path);
    path.pop();
  }
  return `${text}]`;
}

function writeObject(value: object, path: Path): string {
  const members = value as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const key of Object.keys(members).sort()) {
    if (members[key] === undefined) continue;
    path.push(key);
    text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${write(members[key], path)}`;
    path.pop();
  }
  return `${text}}`;
}

/** Coordinates come with five decimals, so there are few different ones: looking one up is cheaper than writing it out. */
const STEPS = 100_000;
const COORDINATES: (string | undefined)[] = new Array<string | undefined>(STEPS + 1).fill(undefined);

function writeNumber(value: number, path: Path): string {
  if (!Number.isFinite(value)) throw new Error(`Not a finite number (at ${named(path)})`);
  const step = Math.round(value * STEPS);
  if (step < 0 || step > STEPS || step / STEPS !== value) return String(value);
  return (COORDINATES[step] ??= String(value));
}

const named = (path: Path): string => `$${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
