import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Webhook } from 'standardwebhooks';
import { ShareController } from '../publication/share.controller';
import { analysisEnded, contentReady, discardOf, type RunningShare, secretsOf, startOwnShare } from '../testing/service.fixture';

describe('callbacks in the console', () => {
  let share: RunningShare;
  let shares: ShareController;

  beforeAll(async () => {
    share = await startOwnShare();
    shares = share.app.get(ShareController);
  });
  afterAll(() => share?.close());

  /** A report whose callback has ended its first attempt. */
  async function called(projectId: string, path: string) {
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}` });
    await share.analysisEnded(ended);
    await share.contentGenerated(contentReady(ended));
    return eventually(async () => {
      const { callbacks } = await shares.listCallbacks({ projectId, reportId: ended.reportId });
      const [callback] = callbacks;
      return callback && (callback.httpStatus !== undefined || callback.failure !== undefined) && callback;
    });
  }

  const outcome = (projectId: string, callbackId: string, attempts: number) =>
    eventually(async () => {
      const found = await shares.getCallback({ projectId, callbackId });
      return found.attempts.length >= attempts && found;
    });

  it('are listed newest first, page by page, by report and by state, and never those of another project', async () => {
    const projectId = newId();
    share.receiver.answers.set('/refused', [{ status: 500 }]);
    const made = [];
    for (const path of ['/a', '/b', '/refused', '/c', '/d']) made.push((await called(projectId, path)).callbackId);
    await called(newId(), '/of-another');

    const pages: string[][] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await shares.listCallbacks({ projectId, cursor, limit: 2 });
      pages.push(page.callbacks.map(({ callbackId }) => callbackId));
      cursor = page.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(made.toReversed());

    const { callbacks: waiting } = await shares.listCallbacks({ projectId, state: 'pending' });
    expect(waiting).toMatchObject([{ callbackId: made[2], httpStatus: 500, attemptCount: 1, nextAttemptAt: expect.any(String) }]);
    const { callbacks: ofReport } = await shares.listCallbacks({ projectId, reportId: waiting[0]!.reportId });
    expect(ofReport).toEqual(waiting);
    expect((await shares.listCallbacks({ projectId, limit: 5 })).nextCursor).toBeUndefined();
  });

  it.each([
    ['project_id', { projectId: 'x' }],
    ['report_id', { projectId: newId(), reportId: 'x' }],
    ['state', { projectId: newId(), state: 'lost' }],
    ['cursor', { projectId: newId(), cursor: 'x' }],
    ['limit', { projectId: newId(), limit: 0 }],
    ['limit', { projectId: newId(), limit: 101 }],
  ])('a list with a wrong %s is refused', async (param, request) => {
    await expect(shares.listCallbacks(request)).rejects.toMatchObject({ code: 'validation_error', param });
  });

  it('show body and attempts, with the answers of the receiver', async () => {
    const projectId = newId();
    share.receiver.answers.set('/says-no', [{ status: 422, body: `<script>"안 됨"</script>${'x'.repeat(2_000)}` }]);
    const { callbackId, reportId } = await called(projectId, '/says-no');
    const { callback, body, attempts } = await shares.getCallback({ projectId, callbackId });
    expect(callback).toMatchObject({ type: 'report.completed', state: 'pending', url: `${share.receiver.origin}/says-no` });
    expect(body).toBe(share.receiver.callsTo('/says-no')[0]?.body);
    expect(JSON.parse(body)).toMatchObject({ data: { report_id: reportId } });
    expect(attempts).toMatchObject([{ number: 1, httpStatus: 422, failure: undefined }]);
    expect(attempts[0]!.durationMs).toBeGreaterThanOrEqual(0);
    expect(attempts[0]!.answer).toHaveLength(1_024);
    expect(Buffer.from(attempts[0]!.answer!).toString()).toMatch(/^<script>"안 됨"<\/script>x/);
  });

  it('show their attempts without a body that cannot be opened', async () => {
    const projectId = newId();
    const { callbackId } = await called(projectId, '/damaged-body');
    await share.owner.query(`UPDATE callbacks SET body = '\\x00' WHERE id = $1`, [callbackId]);
    const { callback, body, attempts } = await shares.getCallback({ projectId, callbackId });
    expect({ state: callback?.state, body, attempts: attempts.length }).toEqual({ state: 'delivered', body: '', attempts: 1 });
  });

  it('of another project, or without a project, are not found', async () => {
    const { callbackId } = await called(newId(), '/private');
    for (const call of [
      () => shares.getCallback({ projectId: newId(), callbackId }),
      () => shares.resendCallback({ projectId: newId(), callbackId }),
      () => shares.getCallback({ projectId: newId(), callbackId: newId() }),
      () => shares.resendCallback({ projectId: newId(), callbackId: 'x' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    expect(share.receiver.callsTo('/private')).toHaveLength(1);
  });

  it('are sent again at once with the same id and body, whether delivered, given up or waiting', async () => {
    const projectId = newId();
    share.receiver.answers.set('/again', [{ status: 410 }, { status: 503 }, { status: 200 }, { status: 200 }]);
    const { callbackId } = await called(projectId, '/again');
    const states = [(await outcome(projectId, callbackId, 1)).callback!.state];
    for (const number of [2, 3, 4]) {
      await shares.resendCallback({ projectId, callbackId });
      states.push((await outcome(projectId, callbackId, number)).callback!.state);
    }
    expect(states).toEqual(['abandoned', 'pending', 'delivered', 'delivered']);
    const calls = share.receiver.callsTo('/again');
    expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([callbackId]));
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
  });

  it('are not sent a second time while an attempt is in flight', async () => {
    const projectId = newId();
    share.receiver.answers.set('/hangs', [{ status: 200, hangs: true }]);
    const ended = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/hangs` });
    await share.analysisEnded(ended);
    await share.contentGenerated(contentReady(ended));
    await eventually(() => share.receiver.callsTo('/hangs')[0]);
    const [callback] = (await shares.listCallbacks({ projectId })).callbacks;
    expect(callback).toMatchObject({ state: 'pending', nextAttemptAt: undefined, attemptCount: 1 });
    await shares.resendCallback({ projectId, callbackId: callback!.callbackId });
    // A later callback that arrives shows that the worker has scanned.
    await called(newId(), '/after-hangs');
    expect(share.receiver.callsTo('/hangs')).toHaveLength(1);
    share.receiver.hangUp();
    const { attempts } = await outcome(projectId, callback!.callbackId, 1);
    expect(attempts).toMatchObject([{ httpStatus: undefined, failure: 'unreachable' }]);
  });

  it('of a discarded report are not sent again, and show neither body nor address nor answer', async () => {
    const projectId = newId();
    share.receiver.answers.set('/forgotten', [{ status: 200, body: 'thanks for 12가3456' }]);
    const { callbackId, reportId } = await called(projectId, '/forgotten');
    await shares.discardReport(discardOf(analysisEnded({ projectId, reportId: reportId! })));
    await expect(shares.resendCallback({ projectId, callbackId })).rejects.toMatchObject({ code: 'report_discarded' });
    const { callback, body, attempts } = await shares.getCallback({ projectId, callbackId });
    expect({ url: callback!.url, body, answer: attempts[0]!.answer, status: attempts[0]!.httpStatus }).toEqual({
      url: '',
      body: '',
      answer: undefined,
      status: 200,
    });
  });

  it('a test callback is one signed attempt without a report', async () => {
    const projectId = newId();
    share.receiver.answers.set('/test', [{ status: 500, body: 'not yet' }]);
    const { callback } = await shares.sendTestCallback({ projectId, url: `${share.receiver.origin}/test` });
    const { callback: ended, attempts } = await outcome(projectId, callback!.callbackId, 1);
    expect(ended).toMatchObject({ type: 'callback.test', state: 'abandoned', httpStatus: 500, reportId: undefined });
    expect(Buffer.from(attempts[0]!.answer!).toString()).toBe('not yet');
    const [call] = share.receiver.callsTo('/test');
    expect(JSON.parse(call!.body)).toEqual({ type: 'callback.test', timestamp: expect.any(String), data: {} });
    const [secret] = await secretsOf(share.owner, projectId);
    expect(() => new Webhook(secret!).verify(call!.body, call!.headers as Record<string, string>)).not.toThrow();
  });

  it.each(['http://127.0.0.1:1/', 'https://169.254.169.254/', 'https://localhost/', 'https://user:secret@1.1.1.1/'])(
    'a test of %s is forbidden, as for a report',
    async (url) => {
      const projectId = newId();
      const { callback } = await shares.sendTestCallback({ projectId, url });
      expect((await outcome(projectId, callback!.callbackId, 1)).attempts).toMatchObject([{ httpStatus: undefined, failure: 'forbidden' }]);
    },
  );

  it.each([
    ['nothing', ''],
    ['a word', 'x'],
    ['another scheme', 'ftp://1.1.1.1/'],
    ['no host', 'https://'],
    ['a space', 'https://a b/'],
    ['an address that is too long', `https://a.example/${'x'.repeat(2_048)}`],
  ])('a test of %s is refused', async (_, url) => {
    await expect(shares.sendTestCallback({ projectId: newId(), url })).rejects.toMatchObject({ code: 'validation_error', param: 'url' });
  });
});
