import { newId } from '@tire/kernel';
import fs from 'node:fs';

describe('a message that cannot be given up', () => {
  beforeAll(() => {
    // Tests log nothing by default. The level is read when the logger is loaded.
    process.env['LOG_LEVEL'] = 'error';
    jest.resetModules();
  });
  afterAll(() => void delete process.env['LOG_LEVEL']);

  it('is logged with what it is about', async () => {
    const { Delivery } = await import('./delivery');
    const message = { projectId: newId(), reportId: newId() };
    const type = { stream: 'WORK', codec: { decode: () => message } };
    const handler = { type, durable: 'test', ackWaitMs: 60_000, maxDeliver: 1, handle: () => Promise.reject(new Error('no')) };
    const deadLetters = { add: () => Promise.reject(new Error('no database')) };
    const arrived = { subject: 'work.test', data: Buffer.alloc(0), reply: '' };
    const lines: string[] = [];
    const writing = jest.spyOn(fs, 'writeSync').mockImplementation((_file, text) => (lines.push(String(text)), String(text).length));
    const delivery = new Delivery(
      handler as never,
      { connection: undefined } as never,
      arrived as never,
      deadLetters as never,
      new AbortController().signal,
      () => undefined,
    );
    await delivery.run().finally(() => writing.mockRestore());
    const line = lines.find((text) => text.includes('could not be given up'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ project_id: message.projectId, report_id: message.reportId });
  });
});
