import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { ShareController } from '../publication/share.controller';
import { CallbackWorker } from './callback.worker';
import { analysisEnded, contentReady, type RunningShare, startOwnShare, stateOf } from '../testing/service.fixture';

const BOTH_FAIL = { contentFails: false, callbackFailures: 2 };

describe('a callback that fails twice on purpose', () => {
  let share: RunningShare;
  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());

  const projectId = newId();
  const controller = () => share.app.get(ShareController);

  async function complete(path: string, sandbox?: typeof BOTH_FAIL) {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}`, sandbox });
    const ready = contentReady(ended, { analysisRevision: ended.analysisRevision, sandbox });
    await share.analysisEnded(ended);
    await share.contentGenerated(ready);
    const { callbackId } = await eventually(
      async () => (await controller().listCallbacks({ projectId, reportId: ended.reportId })).callbacks[0],
    );
    return { callbackId, ready };
  }
  const delivered = (callbackId: string, attempts: number) =>
    eventually(async () => {
      // The next scan may be 20 s away where the last one was slow.
      share.app.get(CallbackWorker).nudge();
      const found = await controller().getCallback({ projectId, callbackId });
      return found.callback!.state === 'delivered' && found.attempts.length >= attempts && found;
    });
  const callsTo = (path: string) => share.receiver.calls.filter((call) => call.path === path);

  it('has two failed attempts that were not sent, and arrives with the third', async () => {
    const { callbackId } = await complete('/twice', BOTH_FAIL);
    const { attempts } = await delivered(callbackId, 3);
    expect(attempts.map(({ number, httpStatus, failure }) => [number, httpStatus, failure])).toEqual([
      [1, undefined, 'sandbox'],
      [2, undefined, 'sandbox'],
      [3, 204, undefined],
    ]);
    const [call, ...others] = callsTo('/twice');
    expect([call!.headers['webhook-id'], others]).toEqual([callbackId, []]);
  });

  it('fails on purpose too if content arrives before its report', async () => {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/reverse`, sandbox: BOTH_FAIL });
    const { reportId } = ended;
    await share.contentGenerated(contentReady(ended, { analysisRevision: ended.analysisRevision, sandbox: BOTH_FAIL }));
    const held = `SELECT FROM publications WHERE report_id = $1 AND status = 'held'`;
    await eventually(async () => (await share.owner.query(held, [reportId])).rows.length > 0);
    await share.analysisEnded(ended);
    const { callbackId } = await eventually(async () => (await controller().listCallbacks({ projectId, reportId })).callbacks[0]);
    expect((await delivered(callbackId, 1)).attempts.map(({ failure }) => failure)).toEqual(['sandbox', 'sandbox', undefined]);
  });

  const failuresOf = async (reportId: string) => {
    const { callbackId } = await eventually(async () => (await controller().listCallbacks({ projectId, reportId })).callbacks[0]);
    return (await delivered(callbackId, 1)).attempts.map(({ failure }) => failure);
  };

  it('fails on purpose too if a request publishes its report before the fact', async () => {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/early` });
    const { reportId, analysisRevision } = ended;
    const { contentRevision } = contentReady(ended);
    share.peers.reports.set(reportId, stateOf(ended, { analysisRevision, contentRevision, callbackFailures: 2 }));
    await controller().publishReport({ projectId, reportId });
    expect(await failuresOf(reportId)).toEqual(['sandbox', 'sandbox', undefined]);
  });

  it('fails on purpose too if its report is registered because a capture was finished', async () => {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/captured` });
    const { reportId, analysisRevision } = ended;
    share.peers.reports.set(reportId, stateOf(ended, { callbackFailures: 2 }));
    await share.contentGenerated(contentReady(ended, { analysisRevision, sandbox: BOTH_FAIL }));
    const held = `SELECT FROM publications WHERE report_id = $1 AND status = 'held'`;
    await eventually(async () => (await share.owner.query(held, [reportId])).rows.length > 0);
    await share.captureFinished(ended, '2026-11-25T09:00:00.000Z');
    expect(await failuresOf(reportId)).toEqual(['sandbox', 'sandbox', undefined]);
  });

  it('has the first delay of the schedule after the first real failure', async () => {
    share.receiver.answers.set('/busy', [{ status: 503 }, { status: 204 }]);
    const { callbackId } = await complete('/busy', BOTH_FAIL);
    const { attempts } = await delivered(callbackId, 4);
    const [, , third, fourth] = attempts.map(({ startedAt }) => Date.parse(startedAt));
    // 5 s and a fifth. A delay that counts the failures on purpose is 64 s at least.
    expect(fourth! - third!).toBeLessThan(30_000);
  }, 120_000);

  it('does not fail again when it is sent again', async () => {
    const { callbackId } = await complete('/again', BOTH_FAIL);
    await delivered(callbackId, 3);
    await controller().resendCallback({ projectId, callbackId });
    const { attempts } = await delivered(callbackId, 4);
    expect(attempts).toHaveLength(4);
  });

  it('stays one callback when the fact is delivered again', async () => {
    const { callbackId, ready } = await complete('/repeated', BOTH_FAIL);
    await share.contentGenerated(ready);
    await delivered(callbackId, 3);
    expect((await controller().listCallbacks({ projectId, reportId: ready.reportId })).callbacks).toHaveLength(1);
  });

  it('is called at once without the photograph', async () => {
    const { callbackId } = await complete('/ordinary');
    expect((await delivered(callbackId, 1)).attempts).toHaveLength(1);
  });
});
