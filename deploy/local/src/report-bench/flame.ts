import type { Stack } from './profile';

interface Box {
  ms: number;
  readonly children: Map<string, Box>;
}

const [WIDTH, ROW, LETTER, LEAST] = [1_400, 17, 6.2, 0.4];
const box = (): Box => ({ ms: 0, children: new Map() });

const COLORS: readonly (readonly [RegExp, string])[] = [
  [/ apps\//, '#f5a962'],
  [/ libs\//, '#f7d774'],
  [/ node_modules\//, '#9cc5e8'],
  [/ node:/, '#b9d8a8'],
];
const colorOf = (label: string): string => COLORS.find(([pattern]) => pattern.test(label))?.[1] ?? '#d0d0d0';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Equal stacks above each other become one box. */
function merged(stacks: readonly Stack[]): Box {
  const root = box();
  for (const { frames, ms } of stacks) {
    root.ms += ms;
    let at = root;
    for (const { name, file } of frames) {
      const label = file ? `${name} ${file}` : name;
      const next = at.children.get(label) ?? box();
      at.children.set(label, next);
      next.ms += ms;
      at = next;
    }
  }
  return root;
}

/** A flame graph from the top downwards. A box is as wide as the time in it, and its tooltip has the name and the time. */
export function flameGraph(title: string, stacks: readonly Stack[]): string {
  const root = merged(stacks);
  const pxPerMs = WIDTH / Math.max(root.ms, Number.MIN_VALUE);
  const shapes: string[] = [];
  let depthMax = 0;
  const draw = (label: string, { ms, children }: Box, x: number, depth: number): void => {
    const width = ms * pxPerMs;
    if (width < LEAST) return;
    depthMax = Math.max(depthMax, depth);
    const [y, letters] = [depth * ROW, Math.floor(width / LETTER)];
    const tip = escaped(`${label}: ${ms.toFixed(1)} ms, ${((100 * ms) / root.ms).toFixed(1)} %`);
    const text = letters < 4 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label.slice(0, letters))}</text>`;
    shapes.push(
      `<g><title>${tip}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(label)}"/>${text}</g>`,
    );
    let left = x;
    for (const [name, child] of [...children].sort(([, one], [, other]) => other.ms - one.ms)) {
      draw(name, child, left, depth + 1);
      left += child.ms * pxPerMs;
    }
  };
  draw(title, root, 0, 0);
  const height = (depthMax + 1) * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">\n${shapes.join('\n')}\n</svg>\n`;
}
