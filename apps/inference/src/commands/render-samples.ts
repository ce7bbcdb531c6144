import { renderSamples } from '../samples/render-samples';

/** Writes the sample images into a folder and prints what each one shows, one JSON line an image. */
async function main(): Promise<void> {
  const samples = await renderSamples(process.argv[2] ?? 'samples');
  for (const sample of samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
}

void main();
