import { eventually } from '@tire/test-harness';
import { WatchedChild } from '../process/watched-child';
import { DecodeLane } from './decode-lane';

type Child = WatchedChild<unknown, unknown>;
const never = new AbortController().signal;

const lanes: DecodeLane[] = [];
function laneOf(niceness = 0): DecodeLane {
  const lane = new DecodeLane({ niceness, residentMib: 500, idleMs: 60_000, entry: require.resolve('./decode-lane.fixture') });
  lanes.push(lane);
  return lane;
}
afterEach(() => {
  jest.restoreAllMocks();
  lanes.splice(0).forEach((lane) => lane.stop());
});

const decode = (lane: DecodeLane, what: string) =>
  lane.decode({ bytes: Buffer.from(what), wanted: { longSidePx: 1, minShortSidePx: 1, maxPixels: 1, orientation: 1 } }, never);
const lossOf = (lane: DecodeLane, what: string): Promise<unknown> => decode(lane, what).catch((error: unknown) => error);
const childOf = (lane: DecodeLane): Child | undefined => (lane as unknown as { running?: { child: Child } }).running?.child;

it.each([
  ['exceeds a limit', 'grow', 'DecoderLost'],
  ['crashes', 'SIGSEGV', 'DecoderLost'],
  ['is killed by others', 'SIGKILL', 'DecoderKilled'],
])('a process that %s while it decodes: %s is %s', async (_, what, name) => {
  const lane = laneOf();
  const loss = await lossOf(lane, what);
  expect(loss).toMatchObject({ name });
  expect(await decode(lane, 'answer')).toMatchObject({ image: { width: 1 } });
});

it('a process that is killed at its start does not count against the image', async () => {
  const loss = await lossOf(laneOf(19), 'answer');
  expect(loss).toMatchObject({ name: 'Error', message: expect.stringMatching(/SIGKILL/) });
});

it('a process that cannot even be created fails one image, not the next one', async () => {
  const lane = laneOf();
  const watch = jest.spyOn(WatchedChild.prototype, 'watch').mockImplementationOnce(() => {
    throw new Error('spawn ENOMEM');
  });
  expect(await lossOf(lane, 'answer')).toMatchObject({ message: 'spawn ENOMEM' });
  watch.mockRestore();
  expect(await decode(lane, 'answer')).toMatchObject({ image: { width: 1 } });
});

it('a process that was replaced ends while the next image is decoded, which goes on', async () => {
  const lane = laneOf();
  const kills: (() => void)[] = [];
  const { kill } = WatchedChild.prototype;
  // The end of a process with much memory takes a while.
  jest.spyOn(WatchedChild.prototype, 'kill').mockImplementationOnce(function (this: Child, reason) {
    kills.push(() => kill.call(this, reason));
  });
  const first = decode(lane, 'keep');
  const replaced = await eventually(async () => childOf(lane));
  await first;
  const next = decode(lane, 'hold');
  const child = await eventually(async () => childOf(lane));
  expect(child.pid).not.toBe(replaced.pid);
  kills.forEach((end) => end());
  await replaced.ended;
  process.kill(child.pid!, 'SIGUSR2');
  expect(await next).toMatchObject({ image: { width: 1 } });
});
