import { DomainError } from '@tire/kernel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestContext } from '../request-context';
import { batched, type BatchOptions } from './batched';

interface Call {
  readonly requests: string[];
  readonly requestId: string | undefined;
  readonly deadlineMs: number;
  answer(answers?: string[]): void;
  fail(error: unknown): void;
}

const call = { callee: 'ledger', rpc: 'GetReports' };

/** A server whose calls the test answers. */
function callee(options?: Partial<BatchOptions<string>>) {
  const calls: Call[] = [];
  const ask = batched<string, string>(
    (requests, { deadlineMs }) =>
      new Promise((resolve, reject) => {
        const answer = (answers = requests.map((request) => request.toUpperCase())) => resolve(answers);
        calls.push({ requests, deadlineMs, requestId: requestContext.getStore()?.requestId, answer, fail: reject });
      }),
    { call, callsMax: 1, pauseMs: 0, ...options },
  );
  return { calls, ask, askAll: (...requests: string[]) => requests.map((request) => ask(request)) };
}

const batchesOf = (calls: readonly Call[]) => calls.map(({ requests }) => requests.join(''));
const outcomes = async (answers: readonly Promise<string>[]) =>
  (await Promise.allSettled(answers)).map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as unknown)));

describe('batched', () => {
  afterEach(() => void jest.useRealTimers());

  it('sends the requests of one turn together, and requests that arrive during the call when it returns', async () => {
    const { calls, ask, askAll } = callee();
    const answers = askAll('a', 'b');
    await nextTurn();
    answers.push(...askAll('c', 'd'));
    await nextTurn();
    answers.push(ask('e'));
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['ab']);
    calls[0]!.answer();
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['ab', 'cde']);
    calls[1]!.answer();
    expect(await outcomes(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('sends equal requests separately', async () => {
    const { calls, askAll } = callee();
    const answers = askAll('a', 'a');
    await nextTurn();
    calls[0]!.answer(['first', 'second']);
    expect(await outcomes(answers)).toEqual(['first', 'second']);
  });

  it('limits the size of a call and the number of calls in flight', async () => {
    const { calls, askAll } = callee({ requestsPerCallMax: 2, callsMax: 2 });
    const answers = askAll('a', 'b', 'c', 'd', 'e', 'f', 'g');
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['ab', 'cd']);
    calls[1]!.answer();
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['ab', 'cd', 'ef']);
    calls[0]!.answer();
    calls[2]!.answer();
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['ab', 'cd', 'ef', 'g']);
    calls[3]!.answer();
    expect(await outcomes(answers)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  });

  describe('with a pause', () => {
    const pauseMs = 100;
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    const pausePasses = () => {
      jest.advanceTimersByTime(pauseMs);
      return nextTurn();
    };

    it('sends a lone request at once, again and again', async () => {
      const { calls, ask } = callee({ pauseMs });
      for (const [index, request] of ['a', 'b', 'c'].entries()) {
        const answer = ask(request);
        await nextTurn();
        calls[index]!.answer();
        await answer;
      }
      expect(batchesOf(calls)).toEqual(['a', 'b', 'c']);
    });

    it('gathers requests during a call, though a second call is allowed', async () => {
      const { calls, ask } = callee({ pauseMs, callsMax: 2 });
      const answers = [ask('a')];
      await nextTurn();
      answers.push(ask('b'));
      await nextTurn();
      answers.push(ask('c'));
      await nextTurn();
      expect(batchesOf(calls)).toEqual(['a']);
      await pausePasses();
      expect(batchesOf(calls)).toEqual(['a', 'bc']);
      for (const call of calls) call.answer();
      expect(await outcomes(answers)).toEqual(['A', 'B', 'C']);
    });

    it('gathers requests after a call with several, but not after a call with one', async () => {
      const { calls, ask, askAll } = callee({ pauseMs });
      const answers = askAll('a', 'b');
      await nextTurn();
      calls[0]!.answer();
      await Promise.all(answers);
      answers.push(ask('c'));
      await nextTurn();
      expect(batchesOf(calls)).toEqual(['ab']);
      await pausePasses();
      calls[1]!.answer();
      await answers.at(-1);
      answers.push(ask('d'));
      await nextTurn();
      expect(batchesOf(calls)).toEqual(['ab', 'c', 'd']);
      calls[2]!.answer();
      expect(await outcomes(answers)).toEqual(['A', 'B', 'C', 'D']);
    });

    it('sends a batch that is large enough without a pause', async () => {
      const { calls, ask } = callee({ pauseMs, callsMax: 2, enough: 2 });
      const answers = [ask('a')];
      await nextTurn();
      answers.push(ask('b'));
      await nextTurn();
      expect(batchesOf(calls)).toEqual(['a']);
      answers.push(ask('c'));
      await nextTurn();
      expect(batchesOf(calls)).toEqual(['a', 'bc']);
      for (const call of calls) call.answer();
      expect(await outcomes(answers)).toEqual(['A', 'B', 'C']);
    });
  });

  it('rejects the requests of a server that is away, and no others', async () => {
    const { calls, ask, askAll } = callee();
    const refused = outcomes(askAll('a', 'b'));
    await nextTurn();
    const later = ask('c');
    const refusal = new DomainError('service_unavailable');
    calls[0]!.fail(refusal);
    expect(await refused).toEqual([refusal, refusal]);
    await nextTurn();
    calls[1]!.answer();
    expect(await later).toBe('C');
  });

  it('continues after a call that could not be made', async () => {
    let broken = true;
    const ask = batched<string, string>(
      (requests) => {
        if (broken) throw new Error('no channel');
        return Promise.resolve(requests);
      },
      { call },
    );
    await expect(ask('a')).rejects.toThrow('no channel');
    broken = false;
    expect(await ask('b')).toBe('b');
  });

  it('sends the requests of a failed call one by one, so that one request fails no other', async () => {
    const fault = new Error('message larger than max');
    const sent: string[] = [];
    const ask = batched<string, string>(
      (requests) => {
        sent.push(requests.join(''));
        return requests.includes('b') ? Promise.reject(fault) : Promise.resolve(requests);
      },
      { call },
    );
    expect(await outcomes(['a', 'b', 'c'].map((request) => ask(request)))).toEqual(['a', fault, 'c']);
    expect(sent).toEqual(['abc', 'a', 'b', 'c']);
  });

  it('sends requests again that a call left without an answer, before later ones, and sends fewer at once', async () => {
    const { calls, askAll } = callee();
    const answers = askAll('a', 'b', 'c', 'd', 'e');
    await nextTurn();
    answers.push(...askAll('f'));
    calls[0]!.answer(['A', 'B']);
    await nextTurn();
    calls[1]!.answer();
    await nextTurn();
    calls[2]!.answer();
    expect(await outcomes(answers)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(batchesOf(calls)).toEqual(['abcde', 'cd', 'ef']);
  });

  it.each([[[]], [['A', 'B', 'C']]])('refuses the answers %j to two requests', async (answers) => {
    const ask = batched<string, string>(() => Promise.resolve(answers), { call });
    expect(await outcomes([ask('a'), ask('b')])).toEqual([expect.any(Error), expect.any(Error)]);
  });

  describe('with groups', () => {
    const groupOf = (request: string) => request[0]!;

    it('takes one request of each group in turn', async () => {
      const { calls, askAll } = callee({ groupOf, requestsPerCallMax: 4 });
      const answers = askAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1');
      await nextTurn();
      calls[0]!.answer();
      await nextTurn();
      calls[1]!.answer();
      await Promise.all(answers);
      expect(batchesOf(calls)).toEqual(['a1b1c1a2', 'a3a4a5a6']);
    });

    it('has calls of its own for a group with large answers, which take turns with those of the others', async () => {
      const { calls, askAll } = callee({ groupOf });
      const answers = askAll('a1', 'a2', 'a3', 'a4');
      await nextTurn();
      calls[0]!.answer(['A1']);
      answers.push(...askAll('b1', 'b2', 'c1'));
      for (let call = 1; call < 5; call += 1) {
        await nextTurn();
        calls[call]!.answer();
      }
      await Promise.all(answers);
      expect(batchesOf(calls)).toEqual(['a1a2a3a4', 'b1c1b2', 'a2', 'a3', 'a4']);
    });

    it('makes smaller portions after a mixed call only for the group whose answer did not fit', async () => {
      const { calls, askAll } = callee({ groupOf });
      const answers = askAll('b1', 'a1', 'b2', 'a2', 'c1');
      await nextTurn();
      answers.push(...askAll('b3', 'b4', 'c2'));
      calls[0]!.answer(['B1']);
      for (let call = 1; call < 4; call += 1) {
        await nextTurn();
        calls[call]!.answer();
      }
      await Promise.all(answers);
      expect(batchesOf(calls)).toEqual(['b1a1c1b2a2', 'b2c1b3c2b4', 'a1', 'a2']);
    });

    it('leaves waiting places to other groups', async () => {
      const { calls, ask, askAll } = callee({ groupOf, waitingMax: 4 });
      const answers = [ask('a0')];
      await nextTurn();
      answers.push(...askAll('a1', 'a2'));
      await expect(ask('a3')).rejects.toMatchObject({ code: 'service_unavailable' });
      answers.push(ask('b1'));
      calls[0]!.answer();
      await nextTurn();
      calls[1]!.answer();
      expect(await outcomes(answers)).toEqual(['A0', 'A1', 'A2', 'B1']);
    });
  });

  it('rejects a request if too many wait, until a call takes them', async () => {
    const { calls, ask, askAll } = callee({ waitingMax: 2 });
    const answers = [ask('a')];
    await nextTurn();
    answers.push(...askAll('b', 'c'));
    await expect(ask('d')).rejects.toMatchObject({ code: 'service_unavailable', cause: call });
    calls[0]!.answer();
    await nextTurn();
    answers.push(ask('e'));
    calls[1]!.answer();
    await nextTurn();
    calls[2]!.answer();
    expect(await outcomes(answers)).toEqual(['A', 'B', 'C', 'E']);
  });

  it('counts the deadline from the arrival of a request, and sends no expired one', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { calls, ask } = callee({ deadlineMs: 100 });
    const first = outcomes([ask('a')]);
    await nextTurn();
    jest.advanceTimersByTime(60);
    const second = outcomes([ask('b')]);
    jest.advanceTimersByTime(60);
    expect(await first).toEqual([expect.objectContaining({ code: 'service_unavailable', cause: expect.objectContaining(call) })]);
    jest.advanceTimersByTime(60);
    const third = ask('c');
    expect(await second).toEqual([expect.objectContaining({ code: 'service_unavailable' })]);
    calls[0]!.answer();
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['a', 'c']);
    calls[1]!.answer();
    expect(await third).toBe('C');
    expect([calls[1]!.deadlineMs, jest.getTimerCount()]).toEqual([100, 0]);
  });

  it('frees the place of an expired request', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { calls, ask } = callee({ deadlineMs: 100 });
    const expired = outcomes([ask('a')]);
    await nextTurn();
    const waiting = outcomes([ask('b')]);
    jest.advanceTimersByTime(100);
    await Promise.all([expired, waiting]);
    calls[0]!.fail(new DomainError('service_unavailable'));
    await nextTurn();
    const answer = ask('c');
    await nextTurn();
    expect(batchesOf(calls)).toEqual(['a', 'c']);
    calls[1]!.answer();
    expect(await answer).toBe('C');
  });

  it('calls in the context of the request that opened the batch, also after a wait', async () => {
    const { calls, ask } = callee();
    const as = (requestId: string) => requestContext.run({ requestId }, () => ask(requestId));
    const answers = [as('1'), as('2')];
    await nextTurn();
    answers.push(as('3'), as('4'));
    calls[0]!.answer();
    await nextTurn();
    calls[1]!.answer();
    expect(await outcomes(answers)).toEqual(['1', '2', '3', '4']);
    expect(calls.map(({ requestId }) => requestId)).toEqual(['1', '3']);
  });
});
