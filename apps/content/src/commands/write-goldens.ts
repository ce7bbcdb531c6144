import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Car } from '../domain/fixtures/snapshot.fixture';
import { CASES } from '../domain/goldens/cases.fixture';
import { CASES_2_0 } from '../domain/goldens/cases-2.0.fixture';
import { CATALOGUES, copyCatalogue } from '../domain/goldens/catalogue.fixture';
import { goldenOf } from '../domain/goldens/golden.fixture';

/** Writes the goldens and the catalogues of sentences. For issued versions it may add files but must not change any. */
async function writeGoldens(project: string): Promise<void> {
  const goldens = join(project, 'src/domain/goldens');
  await writeFolder(goldens, CASES, 'ko-KR');
  for (const locale of ['ko-KR', 'en-US'] as const) await writeFolder(join(goldens, `2.0-${locale}`), CASES_2_0, locale);
  for (const [copy, examplesOf] of Object.entries(CATALOGUES))
    await writeFile(join(project, `COPY-${copy}.md`), copyCatalogue(copy, examplesOf()));
}

async function writeFolder(folder: string, cases: Readonly<Record<string, Car>>, locale: Car['locale']): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stale = (await readdir(folder)).filter((name) => name.endsWith('.json') && !(name.slice(0, -'.json'.length) in cases));
  await Promise.all(stale.map((name) => rm(join(folder, name))));
  await Promise.all(Object.entries(cases).map(([name, car]) => writeFile(join(folder, `${name}.json`), goldenOf({ ...car, locale }))));
}

void writeGoldens('apps/content');
