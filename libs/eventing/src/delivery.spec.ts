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
    const handler = {
      type,
      durable: 'test',
      ackWaitMs: 60_000,
      maxDeliver: 1,
      lastErrors: new Map(),
      handle: () => Promise.reject(new Error('no')),
    };
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

describe('the cause of a message that is given up after its last delivery', () => {
  /** Runs one delivery of a message, and returns the cause with which it is given up. */
  async function givenUp(count: number, lastErrors: Map<string, Error>, handle: () => Promise<void>): Promise<Error | undefined> {
    const { Delivery } = await import('./delivery');
    const causes: Error[] = [];
    const handler = {
      type: { stream: 'WORK', codec: { decode: () => ({}) } },
      durable: 'test',
      ackWaitMs: 60_000,
      maxDeliver: 2,
      lastErrors,
      handle,
    };
    const deadLetters = { add: async ({ cause }: { cause: Error }) => void causes.push(cause) };
    const arrived = { subject: 'work.test', data: Buffer.alloc(0), reply: `$JS.ACK.WORK.test.${count}.7.7.0.0` };
    const broker = { connection: undefined };
    await new Delivery(
      handler as never,
      broker as never,
      arrived as never,
      deadLetters as never,
      new AbortController().signal,
      () => undefined,
    ).run();
    return causes[0];
  }

  const fails = () => Promise.reject(new Error('database away'));

  it('is the last error that this process had', async () => {
    const lastErrors = new Map<string, Error>();
    expect(await givenUp(1, lastErrors, fails)).toBeUndefined();
    const cause = await givenUp(3, lastErrors, fails);
    expect(cause).toMatchObject({
      message: 'no success in 2 deliveries; the last error in this process: Error: database away',
      cause: { message: 'database away' },
    });
  });

  it('says that this process had none', async () => {
    expect((await givenUp(3, new Map(), fails))?.message).toMatch(/; no error in this process: the processes that had it died/);
  });

  it('is forgotten when the message is handled', async () => {
    const lastErrors = new Map<string, Error>();
    await givenUp(1, lastErrors, fails);
    expect(lastErrors.size).toBe(1);
    await givenUp(2, lastErrors, async () => undefined);
    expect(lastErrors.size).toBe(0);
  });
});
