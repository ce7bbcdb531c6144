import { parentPort, workerData } from 'node:worker_threads';
import { loadModel } from '../models/load-model';
import { STOP, type FromThread, type Job, type ThreadData, type ToThread } from './protocol';

// session.run blocks the thread that calls it although it returns a promise: so each model has a thread to itself.
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const say = (message: FromThread) => port.postMessage(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function serve({ model, providers }: ThreadData): Promise<void> {
  const loaded = await loadModel(model, providers);
  let previous: Promise<void> = Promise.resolve();
  const work = async ({ id, picture }: Job) => {
    try {
      say({ kind: 'done', id, analysis: await loaded.analyze(picture) });
    } catch (error) {
      say({ kind: 'failed', id, reason: reasonOf(error) });
    }
  };
  port!.on('message', (message: ToThread) => {
    previous = previous.then(() => (message === STOP ? process.exit(0) : work(message)));
  });
  say({ kind: 'loaded' });
}

serve(workerData as ThreadData).catch((error: unknown) => say({ kind: 'refused', reason: reasonOf(error) }));
