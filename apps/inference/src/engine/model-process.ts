import { getPriority, setPriority } from 'node:os';
import { withPixels } from '../imaging/handed-image';
import { imageHash } from '../imaging/image-hash';
import { loadModel } from '../models/load-model';
import type { Model } from '../models/outcome';
import { verifyFiles } from '../models/repository';
import { turns } from '../models/turns';
import type { Batch, FromModel, ModelData, ToModel } from './protocol';

// The child process of ModelWorker. session.run blocks its thread although it returns a promise, so each model has a process of its own,
// which can be killed without taking the work of others.
/**
 * How far it is below the service's main process and its decoders. With the same priority, on cores that the models fill, each of their steps
 * waits for the end of a model's time slice.
 */
const BELOW_MAIN = 5;
/** How far it is below the other models where its image runs alone. */
const BELOW_OTHERS = 10;
const LOWEST = 19;
const comeAfter = (by: number) => setPriority(Math.min(LOWEST, getPriority() + by));
/** The service may have been killed meanwhile. Then this process ends too. */
const send = (message: FromModel) => process.send?.(message, undefined, undefined, () => undefined);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function load({ model, execution, alone }: ModelData): Promise<Model | undefined> {
  try {
    if (alone) comeAfter(BELOW_OTHERS);
    await verifyFiles(model);
    const loaded = await loadModel(model, execution);
    send({ kind: 'loaded', providers: loaded.providers });
    return loaded;
  } catch (error) {
    send({ kind: 'refused', reason: reasonOf(error) });
    return undefined;
  }
}

async function analyze(model: Model | undefined, { id, images: handed, projects }: Batch): Promise<void> {
  try {
    if (!model) throw new Error('no model is loaded');
    const analyses = await withPixels(handed, async (images) => {
      const { result, servedMs } = await turns.run({ id, projects }, () => model.analyze(images));
      // While an image waits for its turn, its model does not work.
      const modelMs = servedMs / images.length;
      return result.map((analysis, i) => ({
        ...analysis,
        imageHash: imageHash(images[i]!),
        modelMs: Math.min(analysis.modelMs, modelMs),
      }));
    });
    send({ kind: 'done', id, analyses });
  } catch (error) {
    send({ kind: 'failed', id, reason: reasonOf(error) });
  }
}

// Linux gives a thread the priority of the thread that starts it, so this comes before all others.
comeAfter(BELOW_MAIN);
turns.onTurn = (id) => send({ kind: 'turn', id });
let model: Promise<Model | undefined> = Promise.resolve(undefined);
process.on('message', (message: ToModel) => {
  if ('model' in message) model = load(message);
  else void model.then((loaded) => analyze(loaded, message));
});
process.on('disconnect', () => process.exit(0));
// The parent drains: it stops this process when the work in flight is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
