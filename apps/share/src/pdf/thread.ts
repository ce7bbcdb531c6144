import { parentPort } from 'node:worker_threads';
import type { Job, Outcome } from './protocol';
import { reportPdf } from './report-pdf';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const say = (outcome: Outcome) => port.postMessage(outcome);

async function work({ id, input }: Job): Promise<void> {
  try {
    say({ id, kind: 'done', pdf: await reportPdf(input) });
  } catch (error) {
    say({ id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

// One after the other, because an unfinished PDF takes memory.
let previous: Promise<void> = Promise.resolve();
port.on('message', (job: Job) => {
  previous = previous.then(() => work(job));
});
