/** The path of a fault as `param` of the error envelope, for example `images[0].slot.image_type`; null for the whole body. */
export function paramOf(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
