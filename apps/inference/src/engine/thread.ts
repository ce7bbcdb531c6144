import { parentPort, workerData } from 'node:worker_threads';
import { loadModel } from '../models/load-model';
import { verifyFiles } from '../models/repository';
import { STOP, type Batch, type FromThread, type ThreadData, type ToThread } from './protocol';

// session.run blocks its thread although it returns a promise, so each model has a thread of its own.
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const send = (message: FromThread) => port.postMessage(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function serve({ model, execution }: ThreadData): Promise<void> {
  await verifyFiles(model);
  const loaded = await loadModel(model, execution);
  let previous: Promise<void> = Promise.resolve();
  const work = async ({ id, images }: Batch) => {
    try {
      send({ kind: 'done', id, analyses: await loaded.analyze(images) });
    } catch (error) {
      send({ kind: 'failed', id, reason: reasonOf(error) });
    }
  };
  port!.on('message', (message: ToThread) => {
    previous = previous.then(() => (message === STOP ? process.exit(0) : work(message)));
  });
  send({ kind: 'loaded', providers: loaded.providers });
}

serve(workerData as ThreadData).catch((error: unknown) => send({ kind: 'refused', reason: reasonOf(error) }));
