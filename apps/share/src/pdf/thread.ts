import { parentPort } from 'node:worker_threads';
import type { Job, Outcome } from './protocol';
import { reportPdf } from './report-pdf';
import { vehiclePdf } from './vehicle-pdf';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const say = (outcome: Outcome) => port.postMessage(outcome);

const pdfOf = (job: Job): Promise<Buffer> => (job.kind === 'report' ? reportPdf(job.input) : vehiclePdf(job.input));

async function work(job: Job): Promise<void> {
  const { id } = job;
  try {
    say({ id, kind: 'done', pdf: await pdfOf(job) });
  } catch (error) {
    say({ id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

// One after the other, because an unfinished PDF takes memory.
let previous: Promise<void> = Promise.resolve();
port.on('message', (job: Job) => {
  previous = previous.then(() => work(job));
});
