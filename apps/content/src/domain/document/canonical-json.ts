/** One text for one value: the members of every object stand in the order of their names. The bytes are hashed and served as they are. */
export const canonicalJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(inOrder(value)));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
  }
  // JSON.stringify would print null.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return value;
}
