import { eventually } from '@tire/test-harness';
import { settled, TREADS, uploaded } from './reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');

describe('a discard while one service is down', () => {
  const created = async () => (await api.create()).done.report_id;
  const measured = async () => (await settled(api, (await uploaded(api, { template: 'tire_4t_0s' }, TREADS)).report_id)).report_id;

  beforeEach(systemReady);
  afterAll(systemReady);

  // A report of its own for each test, also for a repeated one.
  it.each([
    ['share', created],
    ['content', created],
    ['assets', measured],
  ])('%s: 503 discard_incomplete, access ends immediately, and a repeated call completes the discard', async (service, prepared) => {
    const report = await prepared();
    const discard = () => api.call('discardReport', { report });
    // The stack restarts it at once. It needs a second or two.
    process.kill(stackUnderTest().pids[service]!, 'SIGKILL');
    const answer = await discard();
    expect(answer.refusal).toEqual([503, 'discard_incomplete', null]);
    expect(answer.error).toMatchObject({ type: 'api_error', retryable: true });
    expect((await api.call('getReport', { report })).refusal).toEqual([404, 'not_found', null]);
    expect((await api.call('analyzeSlots', { report })).refusal).toEqual([409, 'report_discarded', null]);
    const done = await eventually(async () => (await discard()).done);
    expect((await discard()).done).toEqual(done);
  });
});
