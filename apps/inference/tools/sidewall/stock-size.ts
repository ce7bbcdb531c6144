const SIZE = /(\d{3})\/(\d{2})(?:ZR|R)(\d{2})/g;

/** The size that a plain search of recognized text finds most often. */
export function stockSize(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [, width, ratio, rim] of text.toUpperCase().replaceAll(' ', '').matchAll(SIZE)) {
      const size = `${width}/${ratio}R${rim}`;
      counts.set(size, (counts.get(size) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
