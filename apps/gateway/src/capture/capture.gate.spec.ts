import { DomainError, systemClock } from '@tire/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONNECTION_CLOSED } from '../edge/closed-connection';
import { CaptureGate } from './capture.gate';

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** The gate with a ledger that finds every link, and the places that it took. */
function started() {
  let hook: Hook = () => undefined;
  const taken: unknown[] = [];
  const fastify = { decorateRequest: () => undefined, addHook: (_: string, added: Hook) => (hook = added) };
  const gate = new CaptureGate(
    { httpAdapter: { getInstance: () => fastify } } as never,
    { addressOf: () => '192.0.2.1' } as never,
    { isOnTime: () => true, awaitBody: (request: unknown) => taken.push(request) > 0 } as never,
    { findCapture: async () => ({ key: { projectId: 'p', reportId: 'r', tokenDigest: Buffer.alloc(32) } }) } as never,
    systemClock,
  );
  gate.onModuleInit();
  const send = (destroyed: boolean) =>
    new Promise<Error | undefined>((resolve) => {
      const request = { routeOptions: { url: '/capture/api/images' }, headers: { authorization: `Bearer ${'x'.repeat(43)}` } };
      hook({ ...request, raw: { destroyed } } as never, { header: () => undefined } as never, resolve);
    });
  return { send, taken };
}

describe('a request with a capture link', () => {
  it('takes places for its body after the look-up of the link', async () => {
    const { send, taken } = started();
    expect(await send(false)).toBeUndefined();
    expect(taken).toHaveLength(1);
  });

  it('takes none if its client disconnected during the look-up', async () => {
    const { send, taken } = started();
    expect(await send(true)).toBe(CONNECTION_CLOSED);
    expect(taken).toHaveLength(0);
  });
});

describe('tokens that no link has', () => {
  const LINK = 'l'.repeat(43);
  const guess = (number: number): string => String(number).padStart(43, 'g');

  /** A gate of one moment, whose ledger knows one link. */
  function gateOf() {
    const asked: string[] = [];
    const findCapture = async ({ token }: { token: string }) => {
      asked.push(token);
      if (token !== LINK) throw new DomainError('not_found');
      return { key: { projectId: 'p', reportId: 'r', tokenDigest: Buffer.alloc(32) } };
    };
    const now = new Date();
    const clients = { addressOf: (request: { address: string }) => request.address };
    const gate = new CaptureGate({} as never, clients as never, {} as never, { findCapture } as never, { now: () => now });
    const find = (token: string, address: string) =>
      gate.find({ address } as never, token).then(
        (found) => (found ? 'found' : 'unknown'),
        (error: DomainError) => error.code,
      );
    return { find, asked };
  }

  it('cost the ledger a limited number of look-ups, from however many addresses they come, and hold up no link that was opened', async () => {
    const { find, asked } = gateOf();
    expect(await find(LINK, '192.0.2.1')).toBe('found');
    const answers: string[] = [];
    for (let i = 0; i < 2_000; i++) answers.push(await find(guess(i), `198.51.${Math.floor(i / 100)}.${i % 100}`));
    expect(answers.filter((answer) => answer === 'unknown').length).toBe(999);
    expect(asked.length).toBe(1_000);
    expect(await find(LINK, '192.0.2.1')).toBe('found');
  });

  it('of one address leave room for those of others', async () => {
    const { find } = gateOf();
    const answers: string[] = [];
    for (let i = 0; i < 200; i++) answers.push(await find(guess(i), '192.0.2.1'));
    expect(answers.filter((answer) => answer === 'unknown').length).toBe(150);
    expect(await find(LINK, '192.0.2.2')).toBe('found');
    // A link that this process knows opens there, too.
    expect(await find(LINK, '192.0.2.1')).toBe('found');
  });
});
