import { parseEnvironment } from '@tire/platform';
import { fetchModelsConfig } from '../config';
import { fetchModels } from '../models/fetch-models';

/** Before a worker starts whose models lie in a bucket: `fetch-models <repository folder>`. */
async function main(repository: string | undefined): Promise<void> {
  if (!repository) throw new Error('Name the folder of the repository');
  for (const name of await fetchModels(parseEnvironment(fetchModelsConfig).MODEL_MANIFESTS, repository)) {
    process.stdout.write(`${name} fetched\n`);
  }
}

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
