import { parseEnvironment } from '@tire/platform';
import { fetchModelsConfig } from '../config';
import { fetchModels } from '../models/fetch-models';

/** Runs before a worker whose models lie in a bucket: `fetch-models <repository folder>`. */
async function main(repository: string | undefined): Promise<void> {
  if (!repository) throw new Error('Name the folder of the repository');
  const { MODEL_MANIFESTS, MODEL_BUCKET_ACCESS_KEY, MODEL_BUCKET_SECRET_KEY, MODEL_BUCKET_REGION } = parseEnvironment(fetchModelsConfig);
  const keys =
    MODEL_BUCKET_ACCESS_KEY && MODEL_BUCKET_SECRET_KEY
      ? { accessKey: MODEL_BUCKET_ACCESS_KEY, secretKey: MODEL_BUCKET_SECRET_KEY, region: MODEL_BUCKET_REGION }
      : undefined;
  for (const name of await fetchModels(MODEL_MANIFESTS, repository, keys)) {
    process.stdout.write(`${name} fetched\n`);
  }
}

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
