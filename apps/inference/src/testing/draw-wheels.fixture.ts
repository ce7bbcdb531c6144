import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderSidewall, type SidewallScene } from '../samples/sidewall-sample';

/** Draws each scene of a JSON object into a folder, under its name. */
async function main(folder: string, scenes: Record<string, SidewallScene>): Promise<void> {
  for (const [name, scene] of Object.entries(scenes)) await writeFile(join(folder, `${name}.jpg`), await renderSidewall(scene));
}

void main(process.argv[2]!, JSON.parse(process.argv[3]!) as Record<string, SidewallScene>);
