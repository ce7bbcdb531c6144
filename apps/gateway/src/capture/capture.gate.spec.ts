import { systemClock } from '@tire/kernel';
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
