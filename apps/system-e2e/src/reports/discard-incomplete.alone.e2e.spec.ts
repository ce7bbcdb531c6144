import { eventually } from '@tire/test-harness';
import { settled, TREADS, uploaded } from './reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');

describe('a discard while one service is down', () => {
  let reports: string[];

  beforeAll(async () => {
    await systemReady();
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s' }, TREADS);
    await settled(api, report_id);
    reports = [report_id, (await api.create()).done.report_id, (await api.create()).done.report_id];
  });
  afterAll(systemReady);

  it.each(['share', 'content', 'assets'])(
    '%s: 503 discard_incomplete, access ends immediately, and a repeated call completes the discard',
    async (service) => {
      const report = reports.pop()!;
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
    },
  );
});
