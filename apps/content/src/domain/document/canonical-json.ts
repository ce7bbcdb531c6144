/** One text for one value: the members of every object stand in the order of their names. The bytes are hashed and served as they are. */
export const canonicalJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(inOrder(value)));

function inOrder(value: unknown): unknown {
  // Most of a document are points: there is nothing to order in numbers.
  if (Array.isArray(value)) return value.every(Number.isFinite) ? value : value.map(inOrder);
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    const ordered: Record<string, unknown> = {};
    for (const name of Object.keys(members).sort()) ordered[name] = inOrder(members[name]);
    return ordered;
  }
  // JSON.stringify would print null.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return value;
}
