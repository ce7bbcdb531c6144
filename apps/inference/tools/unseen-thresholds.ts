import { readFile } from 'node:fs/promises';
import { costLines, goodTreads, type Row } from './renders/unseen-costs';

async function main(): Promise<void> {
  const files = process.argv.slice(2);
  if (files.length === 0) throw new Error('usage: unseen-thresholds ROWS…; written by evaluate-renders --rows');
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const rows = texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as Row);
  const treads = goodTreads(rows);
  process.stdout.write(`${rows.length} renders, ${treads.length} treads that are good if seen as a whole\n\n`);
  process.stdout.write(`${costLines(treads).join('\n')}\n`);
}

void main();
