import { CHART, README } from '@tire/chart';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const UPGRADING = readFileSync(join(CHART, 'UPGRADING.md'), 'utf8');

/** The command blocks of the section that begins with this heading. */
export function blocksBelow(heading: string): string[] {
  const start = README.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`the chart's README has no section ${heading}`);
  const level = heading.split(' ')[0]!;
  const rest = README.slice(start + heading.length + 2);
  // A comment of a command begins like a heading, but follows no empty line.
  const end = rest.search(new RegExp(`\\n\\n#{1,${level.length}} `));
  const section = end < 0 ? rest : rest.slice(0, end + 1);
  return [...section.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, commands]) => commands!);
}

/** Replaces words that must be there, so that a change of the README cannot make a replacement idle. */
export function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`there is no "${from}" in:\n${whole}`);
    return whole.replaceAll(from, to);
  }, text);
}
