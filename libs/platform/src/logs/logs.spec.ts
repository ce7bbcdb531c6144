import { newId } from '@tire/kernel';
import { NestLogger } from './nest-logger';
import { createRootLogger, ofCall } from './logger';
import { handlingMessage, requestContext } from '../request-context';

const [PROJECT, REPORT] = [newId(), newId()];

function capture() {
  const lines: string[] = [];
  const log = createRootLogger({ write: (line) => void lines.push(line) }, 'info');
  return { log, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>, text: () => lines.join('') };
}

describe('log lines', () => {
  it('are JSON with a time, a level and the name of the writer', () => {
    const { log, last } = capture();
    log.child({ name: 'ledger' }).info({ reports: 2 }, 'done');
    expect(last()).toMatchObject({ level: 'info', name: 'ledger', reports: 2, msg: 'done', time: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(last()).not.toHaveProperty('request_id');
  });

  it('carry the id of the request, after an await too', async () => {
    const { log, last } = capture();
    await requestContext.run({ requestId: 'r-1' }, async () => {
      await new Promise(setImmediate);
      log.info('x');
    });
    expect(last()).toMatchObject({ request_id: 'r-1' });
  });

  it.each([
    ['names both', { projectId: PROJECT, reportId: REPORT }, { request_id: 'm:1', project_id: PROJECT, report_id: REPORT }],
    ['names a project', { projectId: PROJECT, reportId: '' }, { request_id: 'm:1', project_id: PROJECT }],
    ['names what is no id', { projectId: '12가 3456', reportId: 'r' }, { request_id: 'm:1' }],
    ['names none', { urls: [] }, { request_id: 'm:1' }],
    ['is nothing', undefined, { request_id: 'm:1' }],
  ])('carry what a message is about: it %s', (_, message, fields) => {
    const { log, last } = capture();
    handlingMessage('m:1', message, () => log.info('x'));
    const { time, level, msg, ...rest } = last();
    expect(rest).toEqual(fields);
  });

  it("show an error with its causes, and nothing of the driver's row", () => {
    const { log, last, text } = capture();
    const driverError = Object.assign(new Error('violates constraint'), {
      code: '23514',
      detail: 'Failing row contains (12가 3456)',
      parameters: ['12가 3456'],
    });
    log.error({ err: new Error('saving failed', { cause: driverError }) }, 'x');
    expect(last()).toMatchObject({ err: { message: 'saving failed', cause: { message: 'violates constraint', code: '23514' } } });
    expect(text()).not.toContain('3456');
  });

  it('name the call of an error', () => {
    const { log, last } = capture();
    const cause = ofCall(new Error('14 UNAVAILABLE'), { callee: 'ledger', rpc: 'GetReports' });
    log.error({ err: new Error('no answer', { cause }) }, 'x');
    expect(last()).toMatchObject({ err: { cause: { callee: 'ledger', rpc: 'GetReports' } } });
    log.error({ err: ofCall(new Error('Not answered in time'), { callee: 'database' }) }, 'x');
    expect(last()).toMatchObject({ err: { callee: 'database' } });
  });

  it('survive an error that is its own cause', () => {
    const { log, last } = capture();
    const error = new Error('round');
    error.cause = error;
    log.error({ err: error }, 'x');
    expect(last()).toMatchObject({ err: { message: 'round' } });
  });

  it.each([
    ['an API key', { note: 'svc_live_abcDEF123-_x' }, 'abcDEF123'],
    ['an API key in a message', 'key svc_test_abcDEF123 was used', 'abcDEF123'],
    ['a header', { headers: { authorization: 'Bearer abc.def-123', cookie: 'session=abc' } }, 'abc'],
    ['a bearer in a text', { note: 'sent Bearer abc.def-123' }, 'abc.def'],
    ['a signed address', { url: 'https://bucket/objects/a.jpg?X-Amz-Signature=abc123&x=1' }, 'abc123'],
    ['a signed address in an error', { err: new Error('GET https://bucket/a.jpg?sig=abc123 failed') }, 'abc123'],
    ['a signed address in a JSON text', { note: '{"url":"https://bucket/a.jpg?sig=abc123"}' }, 'abc123'],
    ['a plate number', { vehicle: { plate_number: '12가 3456' } }, '3456'],
    ['a plate number under another name', { plateNumber: '12가 "3456"' }, '3456'],
    ['a password of a connection', { url: 'postgres://user:hunter2@db:5432/tire' }, 'hunter2'],
    ['a password with signs in it', { password: 'hun"ter\\2' }, 'ter'],
    ['a webhook secret', { note: 'whsec_abc123+/=' }, 'abc123'],
    ['a share address', { share: 'https://host/r/0123456789abcdefghij' }, '0123456789abcdef'],
  ])('never show %s', (_, given, secret) => {
    const { log, last, text } = capture();
    if (typeof given === 'string') log.info(given);
    else log.child(given).info(given, 'x');
    expect(text()).not.toContain(secret);
    expect(text()).toContain('[redacted]');
    expect(last()).toHaveProperty('level');
  });

  it('keep what is no secret', () => {
    const { log, last } = capture();
    const fields = { report_id: '0193-x', url: 'https://host/api/v1/reports', tokens_left: 3, status: 'ok?' };
    log.info(fields, 'Is it done?');
    expect(last()).toMatchObject({ ...fields, msg: 'Is it done?' });
  });
});

it("Nest's logger takes what Nest gives", () => {
  const log = new NestLogger();
  for (const method of ['log', 'verbose', 'debug', 'warn', 'error', 'fatal'] as const) {
    expect(() => log[method]('text', 'stack', 'Context')).not.toThrow();
    expect(() => log[method](new Error('x'), undefined, 'Context')).not.toThrow();
    expect(() => log[method]({ a: 1 })).not.toThrow();
  }
});
