import { newId } from '@tire/kernel';
import { eventually, testClock } from '@tire/test-harness';
import { CallbackWorker } from './callback.worker';
import { ShareController } from '../publication/share.controller';
import { analysisEnded, contentReady, type RunningShare, startOwnShare } from '../testing/service.fixture';

const HOUR_MS = 3_600_000;

describe('75 hours of callbacks', () => {
  const clock = testClock(new Date());
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare({ clock })));
  afterAll(() => share?.close());

  const projectId = newId();
  const shares = () => share.app.get(ShareController);
  const goTo = (time: Date) => {
    clock.setTo(time);
    share.app.get(CallbackWorker).nudge();
  };

  async function complete(path: string) {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}` });
    await share.analysisEnded(ended);
    await share.contentGenerated(contentReady(ended));
    return eventually(async () => (await shares().listCallbacks({ projectId, reportId: ended.reportId })).callbacks[0]);
  }
  const after = (callbackId: string, attempts: number) =>
    eventually(async () => {
      const found = await shares().getCallback({ projectId, callbackId });
      return found.attempts.length >= attempts && found;
    });

  it('a receiver that is down is called for three days at growing intervals, and afterwards only when a person resends', async () => {
    share.receiver.answers.set('/down', [{ status: 503 }]);
    const began = clock.now().getTime();
    const { callbackId } = await complete('/down');
    const triedAfterS: number[] = [0];
    for (;;) {
      const { callback } = await after(callbackId, triedAfterS.length);
      if (callback!.state !== 'pending') break;
      const next = new Date(callback!.nextAttemptAt!);
      // Nothing happens a moment before it is due: an attempt would be one too many below.
      goTo(new Date(next.getTime() - 1));
      goTo(next);
      triedAfterS.push((next.getTime() - began) / 1_000);
    }
    const { callback, attempts } = await after(callbackId, triedAfterS.length);
    expect(callback!.state).toBe('abandoned');
    const delaysS = triedAfterS.slice(1).map((afterS, index) => afterS - triedAfterS[index]!);
    [5, 20, 80, 320, 1_280, 5_120].forEach((delayS, index) => {
      expect(delaysS[index]! / delayS).toBeGreaterThan(0.79);
      expect(delaysS[index]! / delayS).toBeLessThan(1.21);
    });
    // Between a fifth less than 20,480 s and a fifth more than 6 h.
    for (const delayS of delaysS.slice(6)) {
      expect(delayS / 3_600).toBeGreaterThan(4.55);
      expect(delayS / 3_600).toBeLessThan(7.21);
    }
    expect(triedAfterS.at(-1)! / 3_600).toBeGreaterThan(72 - 1.2 * 6);
    expect(triedAfterS.at(-1)! / 3_600).toBeLessThanOrEqual(72);
    expect(attempts.map(({ number }) => number)).toEqual(triedAfterS.map((_, index) => index + 1));
    const calls = share.receiver.callsTo('/down');
    expect(calls).toHaveLength(attempts.length);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([callbackId]));
    expect(calls.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
      triedAfterS.map((afterS) => Math.floor(began / 1_000 + afterS)),
    );

    goTo(new Date(began + 75 * HOUR_MS));
    // A report that is completed now shows that the worker still runs in the 75th hour.
    expect((await after((await complete('/up')).callbackId, 1)).callback!.state).toBe('delivered');
    expect(share.receiver.callsTo('/down')).toHaveLength(calls.length);

    await shares().resendCallback({ projectId, callbackId });
    const again = await after(callbackId, attempts.length + 1);
    expect(again.callback!.state).toBe('pending');
    const waitS = (new Date(again.callback!.nextAttemptAt!).getTime() - clock.now().getTime()) / 1_000;
    expect(waitS).toBeLessThanOrEqual(6);
    share.receiver.answers.set('/down', [{ status: 200 }]);
    goTo(new Date(again.callback!.nextAttemptAt!));
    expect((await after(callbackId, attempts.length + 2)).callback!.state).toBe('delivered');
  });
});
