import { newId } from '@tire/kernel';
import type { FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { KeyAuthority } from '../keys/key-authority';
import type { KeyHolder } from '../keys/key.store';
import type { Admission } from './admission';
import type { Clients } from './client';
import { LongPolls, NewsSource } from './long-polls';

const LONG_S = 25;

describe('an answer that waits', () => {
  const caller = { keyId: newId(), projectId: newId() } as KeyHolder;
  const admission = { leave: () => undefined } as unknown as Admission;
  const keys = { holderOf: () => Promise.resolve(caller) } as unknown as KeyAuthority;
  let source: NewsSource;
  let socket: Socket;
  afterEach(() => source.stop());

  const answer = (hasNews: boolean, waitS: number, read: () => unknown) => {
    source = new NewsSource('test', (waiting) => Promise.resolve(waiting.map(() => hasNews)));
    socket = new Socket();
    const request = { raw: { socket }, headers: {} } as unknown as FastifyRequest;
    const poll = { source, caller, request, waitS, isEmpty: () => true };
    const readAnd = async () => {
      await read();
      return { next_cursor: '1' };
    };
    return new LongPolls(admission, keys, {} as Clients).answer('1', { ...poll, read: readAnd });
  };

  it('reads a few times only where what is announced is never found', async () => {
    let reads = 0;
    await answer(true, 3, () => (reads += 1));
    expect(reads).toBeGreaterThan(1);
    expect(reads).toBeLessThan(7);
  });

  it('ends at once where the client went away during the first read', async () => {
    const began = performance.now();
    await answer(false, LONG_S, () => once(socket.destroy(), 'close'));
    expect(performance.now() - began).toBeLessThan((LONG_S * 1_000) / 2);
  });
});
