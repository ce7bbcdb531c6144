import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Webhook } from 'standardwebhooks';
import { Database } from '@tire/platform';
import { ShareController } from '../publication/share.controller';
import { waitingReceivers } from './callback.store';
import { analysisEnded, contentReady, type RunningShare, secretsOf, startOwnShare } from '../testing/service.fixture';

const BACKLOG = 200;
/** For a fact that never occurs. Where ten programs wait for each core, hundreds of transactions take minutes. */
const PATIENCE = { timeoutMs: 600_000 };
const TEST_MS = 1_500_000;

describe('receivers of callbacks', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());

  async function complete(projectId: string, path: string, change: Parameters<typeof analysisEnded>[0] = {}) {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}`, ...change });
    await share.analysisEnded(ended);
    await share.contentGenerated(contentReady(ended));
    return ended;
  }
  const counted = async (projectId: string, condition: string) => {
    const { rows } = await share.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM callbacks WHERE project_id = $1 AND ${condition}`,
      [projectId],
    );
    return rows[0]!.n;
  };

  it(
    'a receiver that hangs has at most two calls in flight and does not delay others',
    async () => {
      const hanging = newId();
      const path = `/hangs/${newId()}`;
      share.receiver.answers.set(path, [{ status: 200, hangs: true }]);
      await Promise.all(Array.from({ length: BACKLOG }, () => complete(hanging, path)));
      await eventually(async () => (await counted(hanging, 'true')) === BACKLOG, PATIENCE);
      await eventually(() => share.receiver.hangingMost.get(path) === 2);

      const healthy = newId();
      await complete(healthy, `/healthy/${healthy}`);
      await eventually(() => share.receiver.callsTo(`/healthy/${healthy}`)[0]);
      await eventually(async () => (await counted(healthy, `state = 'delivered'`)) === 1);
      // Calls end after 15 s, which is less than a busy machine may need for this. So those at one time are counted, and not all.
      expect(share.receiver.hangingMost.get(path)).toBe(2);
      expect(await counted(hanging, 'claimed_until > now()')).toBeLessThanOrEqual(2);

      // It did not answer: one call at a time until it answers again. Then the backlog is sent quickly.
      share.receiver.hangUp();
      share.receiver.hangingMost.delete(path);
      await eventually(() => share.receiver.hangingMost.has(path));
      expect(await counted(hanging, 'claimed_until > now()')).toBeLessThanOrEqual(1);
      expect(share.receiver.hangingMost.get(path)).toBe(1);
      share.receiver.answers.set(path, [{ status: 204 }]);
      const unanswered = share.receiver.callsTo(path).length;
      share.receiver.hangUp();
      await eventually(async () => (await counted(hanging, `state = 'delivered'`)) >= BACKLOG - unanswered, PATIENCE);
    },
    TEST_MS,
  );

  it(
    'have fifteen seconds for each attempt',
    async () => {
      const [shares, projectId] = [share.app.get(ShareController), newId()];
      share.receiver.answers.set('/silent', [{ status: 200, hangs: true }]);
      await complete(projectId, '/silent');
      const tried = await eventually(async () => {
        const [callback] = (await shares.listCallbacks({ projectId })).callbacks;
        return callback?.failure !== undefined && callback;
      }, PATIENCE);
      expect(tried).toMatchObject({ state: 'pending', failure: 'timeout', attemptCount: 1 });
      const [attempt] = (await shares.getCallback({ projectId, callbackId: tried.callbackId })).attempts;
      expect(attempt!.durationMs).toBeGreaterThan(14_900);
      const waiting = await waitingReceivers(share.app.get(Database), 100);
      expect(waiting.find(({ project_id }) => project_id === projectId)).toMatchObject({
        ...{ origin: share.receiver.origin, pending: 1, attempts: 1, status: null, failure: 'timeout' },
      });
    },
    TEST_MS,
  );

  it('get Korean, quotes, brackets and direction marks unchanged, with the length of the body in bytes', async () => {
    const projectId = newId();
    const hostile = `검사-‮"'><script>alert(1)</script>\\\r\n\u2028\u2066😀${'가'.repeat(20)}`;
    const path = `/hostile/${projectId}`;
    await complete(projectId, path, { externalInspectionId: hostile, externalVehicleId: '{"report_id":"x"}\t../..%00' });
    const call = await eventually(() => share.receiver.callsTo(path)[0]);
    const { data } = JSON.parse(call.body) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ external_inspection_id: hostile, external_vehicle_id: '{"report_id":"x"}\t../..%00' });
    expect(Object.keys(data).toSorted()).toEqual(
      ['report_id', 'analysis_status', 'analysis_revision', 'external_inspection_id', 'external_vehicle_id', 'links'].toSorted(),
    );
    expect(Number(call.headers['content-length'])).toBe(Buffer.byteLength(call.body));
    const [secret] = await secretsOf(share.owner, projectId);
    expect(() => new Webhook(secret!).verify(call.body, call.headers as Record<string, string>)).not.toThrow();
    const [callback] = (await share.app.get(ShareController).listCallbacks({ projectId })).callbacks;
    expect((await share.app.get(ShareController).getCallback({ projectId, callbackId: callback!.callbackId })).body).toBe(call.body);
  });
});
