import { COMMON_ERRORS } from '@tire/contracts/openapi';
import { API_OPERATIONS } from '@tire/contracts/operations';
import { ERRORS, INTERFACE_ERROR_CODES, publicCode, type ErrorCode } from '@tire/kernel';
import type { Api } from './api';
import { OPERATIONS, endpointOf, type Operation } from './operations';
import { REFUSALS } from './refusals';
import { settled, TREADS, uploaded } from '../reports/reports';
import { SUCCESSES, type Ready } from './successes';
import { apiWith, newKey, newProject, systemReady } from '../world';

/**
 * A partner can get every response that an operation declares, and no other. Each is provoked here through the public API. A declared
 * response that no test can provoke is a failure.
 */
describe('the declared responses', () => {
  let project: string;
  let key: string;
  let api: Api;
  let ready: Ready;

  beforeAll(async () => {
    await systemReady();
    project = await newProject('live');
    ({ key } = await newKey(project, 'report:*'));
    api = apiWith(key);
    const { report_id: report } = await uploaded(api, { template: 'tire_4t_0s' }, TREADS);
    await settled(api, report);
    const content = await api.call('getContent', { report });
    ready = { report, contentRevision: content.done.content_revision!, etag: content.headers.get('etag')! };
  });
  afterAll(systemReady);

  const good = API_OPERATIONS.flatMap(({ operationId, responses }) =>
    responses.map(({ status }) => [operationId as Operation, status] as const),
  );

  it.each(good)('%s: %i', async (operation, status) => {
    const way = SUCCESSES[operation][status];
    if (!way) throw new Error('No test provokes this response');
    expect((await way(api, ready)).status).toBe(status);
  });

  const declaring = (code: ErrorCode): Operation[] =>
    OPERATIONS.filter((operation) => COMMON_ERRORS.includes(code) || endpointOf(operation).errors.includes(code));

  it.each(INTERFACE_ERROR_CODES.map((code) => [ERRORS[code].httpStatus, code, declaring(code)] as const))(
    '%i %s',
    async (status, code, operations) => {
      const answers = await REFUSALS[code]({ api, key, project, ready, operations });
      const given = answers.map((answer) => [answer.operation, answer.status, answer.error.code]);
      expect(given).toEqual(operations.map((operation) => [operation, status, publicCode(code)]));
    },
  );
});
