import { freePort } from '@tire/test-harness';
import fs from 'node:fs';
import type { SmtpSettings } from './smtp';

beforeAll(() => {
  // Tests log nothing by default. The level is read when the logger is loaded.
  process.env['LOG_LEVEL'] = 'warn';
  jest.resetModules();
});
afterAll(() => void delete process.env['LOG_LEVEL']);

it('a mail that finds no server is logged with the server and the code of the system, and without its receiver', async () => {
  const { smtpCarrier } = await import('./smtp');
  const login = { user: 'gateway', password: 'hunter2' };
  const settings: SmtpSettings = {
    host: '127.0.0.1',
    port: await freePort(),
    tls: 'none',
    from: 'mail@shop.example',
    caFile: null,
    ...login,
  };
  const lines: string[] = [];
  const written = fs.writeSync as (...args: unknown[]) => number;
  const writing = jest.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    if (args[0] !== process.stdout.fd) return written(...args);
    lines.push(String(args[1]));
    return String(args[1]).length;
  });
  const message = { id: 'm-1', to: 'person@shop.example', subject: 's', text: 't' };
  const outcome = await smtpCarrier(settings)
    .send(message)
    .finally(() => writing.mockRestore());
  expect(outcome).toEqual({ kind: 'unavailable' });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ message_id: 'm-1', host: '127.0.0.1', port: settings.port, system_code: 'ECONNREFUSED' });
  expect(lines[0]).not.toMatch(/person|hunter2/);
});
