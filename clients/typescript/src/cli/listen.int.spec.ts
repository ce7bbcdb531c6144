import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from './commands.ts';
import { UsageError } from './config.ts';
import { EVENTS } from './trigger.ts';
import { KEY, refusal, SmallService, type Reply } from '../testing/small-service.ts';
import { verifyWebhook } from '../webhooks.ts';

const PROJECT_SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** As the service answers it: signed with the secret of the project. */
function callback(type: string, id: string) {
  const body = JSON.stringify({ type, timestamp: '2026-11-21T04:05:06.789Z', data: { report_id: `report-${id}`, plate: '12가 3456' } });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(PROJECT_SECRET.slice(6), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { callback_id: id, type, report_id: `report-${id}`, queued_at: '2026-11-21T04:05:06.789Z', headers, body };
}

const part = (next_cursor: string, callbacks: object[], recorded_since = '2026-11-21T04:00:00.000Z'): Reply => ({
  status: 200,
  body: { callbacks, next_cursor, recorded_since },
});

describe('tire listen', () => {
  let service: SmallService;
  let receiver: Server;
  let received: { url: string; headers: IncomingHttpHeaders; body: string }[];
  let answer: number;
  let output: string;
  let ending: AbortController;

  beforeEach(async () => {
    service = await SmallService.start();
    [received, answer, output, ending] = [[], 204, '', new AbortController()];
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(answer, { location: '/elsewhere' }).end('thanks');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await service.stop();
  });

  const hooks = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks?a=1`;
  const run = (args: string[], print: (text: string) => void = (text) => (output += text), key = KEY) =>
    runCommand(args, { TIRE_API_KEY: key, TIRE_BASE_URL: service.baseUrl }, print, () => ending.signal);
  /** Until it has printed the text. */
  const until = (text: string, ...more: string[]) =>
    run(['listen', '--forward', hooks(), ...more], (printed) => {
      output += printed;
      if (output.includes(text)) ending.abort();
    });

  it('sends each callback on with the same body and headers, and prints how it was answered', async () => {
    service.replies.set('GET /callbacks', [
      part('7', []),
      part('9', [callback('report.completed', 'one'), callback('content.ready', 'two')]),
      part('9', []),
    ]);
    expect(await until('report-two')).toBe(0);
    expect(received.map(({ url, headers }) => [url, headers['webhook-id'], headers['content-type']])).toEqual([
      ['/hooks?a=1', 'one', 'application/json'],
      ['/hooks?a=1', 'two', 'application/json'],
    ]);
    expect(received[0]!.body).toBe(callback('report.completed', 'one').body);
    expect(output).toMatch(/^\d\d:\d\d:\d\d {2}report\.completed +report-one {2}204 \(\d+ ms\)$/m);
    expect(service.sent(/callbacks/).map(({ path }) => path)).toEqual(['/callbacks?wait_s=25', '/callbacks?after=7&wait_s=25']);
  });

  it('signs with the secret of the project and with one that it prints, the same for a key at each start', async () => {
    const printed: string[] = [];
    for (const key of [KEY, KEY]) {
      [output, ending] = ['', new AbortController()];
      service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('report.completed', 'one')])]);
      await until('report-one');
      printed.push(/whsec_\S+/.exec(output)![0]);
      expect(output).not.toContain(key);
    }
    expect(printed[1]).toBe(printed[0]);
    for (const { body, headers } of received) {
      for (const secret of [PROJECT_SECRET, printed[0]!]) {
        const event = await verifyWebhook({ payload: body, headers, secret });
        expect(event.type).toBe('report.completed');
      }
    }
  });

  it('reads on from its cursor when the connection was lost, and says so', async () => {
    service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('report.completed', 'one')])]);
    service.troubles.set(/callbacks/, [part('7', []), 'lost', refusal(503, 'internal_error', { retryable: true })]);
    await until('report-one');
    expect(received).toHaveLength(1);
    expect(output.match(/^interrupted: \S.*$/gm)).toHaveLength(2);
  });

  it('says when the recording had ended meanwhile', async () => {
    const later = '2026-11-21T09:00:00.000Z';
    service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('report.completed', 'one')], later)]);
    await until('report-one');
    expect(output).toContain(`nothing was recorded before: ${later}`);
  });

  it('follows no redirect, prints what failed, and goes on', async () => {
    answer = 302;
    service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('report.failed', 'one')])]);
    await until('report-one');
    expect([output, received.length]).toEqual([expect.stringMatching(/report-one {2}302 /), 1]);
    [output, ending] = ['', new AbortController()];
    service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('report.failed', 'one')])]);
    // Nothing listens there, and fetch does not refuse it as it refuses port 1.
    await run(['listen', '--forward', 'http://127.0.0.1:2/'], (text) => {
      output += text;
      if (output.includes('report-one')) ending.abort();
    });
    expect(output).toMatch(/report-one {2}ECONNREFUSED$/m);
  });

  it('sends only the chosen events, and prints JSON', async () => {
    service.replies.set('GET /callbacks', [
      part('7', []),
      part('9', [callback('content.ready', 'two'), callback('share.revoked', 'three')]),
    ]);
    await until('"three"', '--events', 'report.completed, share.revoked', '--json');
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['three']);
    expect(JSON.parse(output)).toMatchObject({ callback_id: 'three', type: 'share.revoked', status: 204, fault: null });
  });

  it('ends with the words of the service for a live project', async () => {
    const refused = refusal(403, 'forbidden', { message: 'Listen with a key of the test project.' });
    service.replies.set('GET /callbacks', [refused]);
    await expect(run(['listen', '--forward', hooks()])).rejects.toMatchObject({ code: 'forbidden', message: /test project/ });
  });

  it.each([[[]], [['--forward', 'localhost:3000']], [['--forward', 'ftp://localhost/']]])('needs an address, not %j', async (args) => {
    await expect(run(['listen', ...args])).rejects.toThrow(UsageError);
    expect(service.requests).toEqual([]);
  });

  it.each(['report.complete', 'report.completed,', 'callback.test'])(
    'refuses %s in the list of events, and names all of them',
    async (events) => {
      const refused = run(['listen', '--forward', hooks(), '--events', events]);
      await expect(refused).rejects.toThrow(UsageError);
      await expect(refused).rejects.toThrow(/report\.completed, .*share\.revoked, capture\.finished/);
      expect(service.requests).toEqual([]);
    },
  );

  it('takes every event', async () => {
    service.replies.set('GET /callbacks', [part('7', []), part('8', [callback('capture.finished', 'one')])]);
    await until('report-one', '--events', `${EVENTS.join()},capture.finished`);
    expect(received).toHaveLength(1);
  });
});

describe('tire logs tail', () => {
  let service: SmallService;

  beforeEach(async () => void (service = await SmallService.start()));
  afterEach(() => service.stop());

  it.each([[[]], [['--json']]])('prints the requests of the project until it is ended: %j', async (args) => {
    const request = {
      at: '2026-11-21T04:05:06.789Z',
      key_id: 'k',
      method: 'POST',
      path: '/api/v1/reports',
      status: 422,
      duration_ms: 3,
      request_id: 'r-1',
    };
    const log = (next_cursor: string, requests: object[]): Reply => ({ status: 200, body: { requests, next_cursor } });
    service.replies.set('GET /requests', [log('1.a', []), log('2.b', [request])]);
    const ending = new AbortController();
    let output = '';
    const print = (text: string): void => {
      output += text;
      if (text.includes('r-1')) ending.abort();
    };
    const code = await runCommand(
      ['logs', 'tail', ...args],
      { TIRE_API_KEY: KEY, TIRE_BASE_URL: service.baseUrl },
      print,
      () => ending.signal,
    );
    expect(code).toBe(0);
    if (args.length > 0) expect(JSON.parse(output)).toEqual(request);
    else expect(output).toMatch(/^\d\d:\d\d:\d\d {2}422 {2}POST {4}\/api\/v1\/reports {2}\(3 ms\) {2}r-1$/m);
  });
});
