import { renderSamples } from '../samples/render-samples';

/** Writes the sample photographs into a folder and says what was drawn on them, one JSON line a photograph. */
async function main(): Promise<void> {
  const samples = await renderSamples(process.argv[2] ?? 'samples');
  for (const sample of samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
}

void main();
