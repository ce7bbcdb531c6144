import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CASES } from '../domain/goldens/cases.fixture';
import { copyCatalogue } from '../domain/goldens/catalogue.fixture';
import { goldenOf } from '../domain/goldens/golden.fixture';

/** Writes the goldens and the catalogue of sentences. For issued versions it may add files but must not change any. */
async function writeGoldens(project: string): Promise<void> {
  const folder = join(project, 'src/domain/goldens');
  const stale = (await readdir(folder)).filter((name) => name.endsWith('.json') && !(name.slice(0, -'.json'.length) in CASES));
  await Promise.all(stale.map((name) => rm(join(folder, name))));
  await Promise.all(Object.entries(CASES).map(([name, car]) => writeFile(join(folder, `${name}.json`), goldenOf(car))));
  await writeFile(join(project, 'COPY-ko-1.0.md'), copyCatalogue());
}

void writeGoldens('apps/content');
