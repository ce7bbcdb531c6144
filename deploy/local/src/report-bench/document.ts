import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../stack-file';

const [BEGIN, END] = ['<!-- bench:report -->\n', '\n<!-- /bench:report -->'];

/** The document with this text between its two marks. */
export function withFigures(document: string, figures: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`The document has no part between ${BEGIN.trim()} and ${END.trim()}`);
  return `${before}${BEGIN}${figures}${END}${after}`;
}

/** The summary stands in the README, and all tables in docs/performance.md. */
export async function writeDocuments(texts: { readonly summary: string; readonly tables: string }): Promise<void> {
  const replace = async (name: string, text: string) => {
    const path = join(REPOSITORY_ROOT, name);
    await writeFile(path, withFigures(await readFile(path, 'utf8'), text));
  };
  await replace('README.md', texts.summary);
  await replace('docs/performance.md', texts.tables);
}
