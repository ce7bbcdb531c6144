import { readFile } from 'node:fs/promises';
import { loadModel } from '../src/models/load-model';
import type { Operation } from '../src/models/manifest';
import { loadRepository } from '../src/models/repository';
import { bareDecode } from './bare-decode';
import { benchProvider } from './provider';

/** The worker is compared with this: the same decoder and the same session, one image after another in one process. */
async function main(repository: string, operation: Operation, image: string): Promise<void> {
  const [model] = await loadRepository(repository, [operation]);
  const loaded = await loadModel(model!, { requested: [benchProvider()], fallback: false });
  const bytes = await readFile(image);
  const measure = async () => {
    const [analysis] = await loaded.analyze([await bareDecode(bytes, model!.manifest.input.long_side_px)]);
    if (`tire.${analysis!.outcome.kind}` !== operation) throw new Error(`the bare loop measures no ${operation}`);
  };
  await measure();
  process.on('message', (roundMs: number) => {
    void (async () => {
      const startedMs = performance.now();
      let count = 0;
      for (; performance.now() - startedMs < roundMs; count++) await measure();
      process.send?.((count * 1000) / (performance.now() - startedMs));
    })();
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

void main(process.argv[2]!, process.argv[3] as Operation, process.argv[4]!);
