import type { RgbImage } from '../imaging/decode';
import type { Analysis } from '../models/outcome';
import { JobQueue, type Refusal } from './job-queue';

const image = (width: number): RgbImage => ({ width, height: 10, rgb: new Uint8Array(0) });
const analysis: Analysis = { outcome: { kind: 'error', errorCode: 'tread_not_found' }, imageHash: '0', modelMs: 1, postMs: 1 };

function queueOf(maxWaiting: number) {
  const refusals: Refusal[] = [];
  return { queue: new JobQueue({ maxWaiting }, (reason) => refusals.push(reason)), refusals };
}

it('rejects jobs beyond its limit and reports them', async () => {
  const { queue, refusals } = queueOf(1);
  const first = queue.add(image(10), 'project');
  await expect(queue.add(image(10), 'project')).rejects.toMatchObject({ name: 'JobRefused', reason: 'queue_full' });
  queue.take(1)[0]!.resolve(analysis);
  expect(await first).toBe(analysis);
  expect(refusals).toEqual(['queue_full']);
});

it('makes batches of images of one size, oldest first, up to the requested size', async () => {
  const { queue } = queueOf(8);
  const answers = [10, 20, 10, 10].map((width) => queue.add(image(width), 'project'));
  const batches = [queue.take(2), queue.take(4), queue.take(4), queue.take(4)];
  expect(batches.map((jobs) => jobs.map((job) => job.image.width))).toEqual([[10, 10], [20], [10], []]);
  batches.flat().forEach((job) => job.resolve(analysis));
  expect(await Promise.all(answers)).toHaveLength(4);
});

it('rejects all waiting jobs when the process ends', async () => {
  const { queue } = queueOf(8);
  const waiting = [queue.add(image(10), 'project'), queue.add(image(20), 'project')];
  expect(queue.clear(new Error('gone'))).toBe(2);
  for (const job of waiting) await expect(job).rejects.toThrow('gone');
});
