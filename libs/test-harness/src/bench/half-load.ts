import type autocannon from 'autocannon';
import { connect } from 'node:net';
import { once } from 'node:events';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export interface PacedResult {
  readonly p99Ms: number;
  readonly failed: number;
}

const TICK_MS = 1;

/** Serialized once: if sending costs as much CPU as answering, the bench measures the sender. */
function requestsOf({ url, requests, method = 'GET', headers = {}, body = '' }: autocannon.Options): Buffer[] {
  const { host, pathname } = new URL(url as string);
  const length = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body as string) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const paths = requests?.map(({ path }) => path!) ?? [pathname];
  return paths.map((path) => Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${method === 'GET' ? '' : String(body)}`));
}

/** The total length of the response at the start of these bytes, or undefined if its head is incomplete. */
function lengthOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end));
  return end + 4 + Number(length?.[1] ?? 0);
}

type Answered = (status: number) => void;

/** One request at a time on a persistent connection. */
async function openConnection(url: string): Promise<(request: Buffer, answered: Answered) => void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true).unref();
  await once(socket, 'connect');
  let answered: Answered = () => undefined;
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const length = lengthOf(received);
    if (length === undefined || received.length < length) return;
    const status = Number(received.toString('latin1', 9, 12));
    received = received.subarray(length);
    answered(status);
  });
  socket.on('close', () => answered(0));
  return (request, done) => {
    answered = done;
    socket.write(request);
  };
}

/**
 * Sends requests evenly at a rate, without waiting for earlier responses. The latency of each counts from the time at which it was due, so
 * that a slow sender hides nothing. (The load generator of the other columns sends its rate in a burst each second.)
 */
export async function paced(options: autocannon.Options, status: number, ratePerSecond: number, seconds: number): Promise<PacedResult> {
  const requests = requestsOf(options);
  const idle = await Promise.all(Array.from({ length: options.connections ?? 1 }, () => openConnection(options.url as string)));
  const latencyUs = createHistogram();
  const total = Math.round(ratePerSecond * seconds);
  const beganMs = performance.now();
  const dueMs = (index: number): number => beganMs + (index * 1_000) / ratePerSecond;
  let sent = 0;
  let answered = 0;
  let failed = 0;
  let lost = 0;
  const send = (): void => {
    while (sent < total && idle.length > 0 && dueMs(sent) <= performance.now()) {
      const connection = idle.pop()!;
      const due = dueMs(sent);
      connection(requests[sent % requests.length]!, (answer) => {
        latencyUs.record(Math.max(1, Math.round((performance.now() - due) * 1_000)));
        answered += 1;
        if (answer !== status) failed += 1;
        if (answer === 0) lost += 1;
        else idle.push(connection);
        send();
      });
      sent += 1;
    }
  };
  while (answered < total) {
    if (lost === options.connections) throw new Error(`Every connection to ${String(options.url)} was closed`);
    send();
    await pause(TICK_MS);
  }
  return { p99Ms: latencyUs.percentile(99) / 1_000, failed };
}
