import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../stack-file';
import type { Measurement } from './measurement';
import { tables } from './tables';

export const DOCUMENT = join(REPOSITORY_ROOT, 'docs/scale.md');
export const SAVED = join(REPOSITORY_ROOT, 'docs/scale.json');

const [BEGIN, END] = ['<!-- tables -->\n', '\n<!-- /tables -->'];

/** The document with the tables of this measurement. */
export function withTables(document: string, measured: Measurement): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/scale.md has no part between ${BEGIN.trim()} and ${END.trim()}`);
  return `${before}${BEGIN}${tables(measured)}${END}${after}`;
}
