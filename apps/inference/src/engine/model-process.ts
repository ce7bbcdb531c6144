import { setPriority } from 'node:os';
import { imageHash } from '../imaging/image-hash';
import { loadModel } from '../models/load-model';
import type { Model } from '../models/outcome';
import { verifyFiles } from '../models/repository';
import { turns } from '../models/turns';
import type { Batch, FromModel, ModelData, ToModel } from './protocol';

// The child process of ModelWorker. session.run blocks its thread although it returns a promise, so each model has a process of its own,
// which can be killed without taking the work of others.
const PRIORITY_OF_ALONE = 10;
/** The service may have been killed meanwhile. Then this process ends too. */
const send = (message: FromModel) => process.send?.(message, undefined, undefined, () => undefined);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function load({ model, execution, alone }: ModelData): Promise<Model | undefined> {
  try {
    if (alone) setPriority(PRIORITY_OF_ALONE);
    await verifyFiles(model);
    const loaded = await loadModel(model, execution);
    send({ kind: 'loaded', providers: loaded.providers });
    return loaded;
  } catch (error) {
    send({ kind: 'refused', reason: reasonOf(error) });
    return undefined;
  }
}

async function analyze(model: Model | undefined, { id, images, projects }: Batch): Promise<void> {
  try {
    if (!model) throw new Error('no model is loaded');
    const { result, servedMs } = await turns.run({ id, projects }, () => model.analyze(images));
    // While an image waits for its turn, its model does not work.
    const modelMs = servedMs / images.length;
    send({
      kind: 'done',
      id,
      analyses: result.map((analysis, i) => ({
        ...analysis,
        imageHash: imageHash(images[i]!),
        modelMs: Math.min(analysis.modelMs, modelMs),
      })),
    });
  } catch (error) {
    send({ kind: 'failed', id, reason: reasonOf(error) });
  }
}

turns.onTurn = (id) => send({ kind: 'turn', id });
let model: Promise<Model | undefined> = Promise.resolve(undefined);
process.on('message', (message: ToModel) => {
  if ('model' in message) model = load(message);
  else void model.then((loaded) => analyze(loaded, message));
});
process.on('disconnect', () => process.exit(0));
// The parent drains: it stops this process when the work in flight is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
