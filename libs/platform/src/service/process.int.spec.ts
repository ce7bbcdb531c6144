import { eventually, freePort } from '@tire/test-harness';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { publicKeyOf } from '../grpc/identity';

const ROOT = join(__dirname, '../../../..');
const SEED = Buffer.alloc(32, 7);

interface LogLine {
  level: string;
  msg: string;
  name: string;
  [field: string]: unknown;
}

interface Closable {
  close(done: () => void): unknown;
}

interface RunningService {
  readonly base: string;
  /** Where health and metrics are. */
  readonly operations: string;
  readonly grpcPort: number;
  readonly child: ChildProcess;
  readonly lines: LogLine[];
  readonly errors: string[];
  readonly exited: Promise<number | null>;
  logged(msg: string): Promise<LogLine>;
}

describe('a service in its own process', () => {
  const running: RunningService[] = [];
  const servers: Closable[] = [];

  async function launch(env: Record<string, string> = {}): Promise<RunningService> {
    const [httpPort, operationsPort, grpcPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const child = spawn(process.execPath, [join(ROOT, 'deploy/typescript-hook.cjs'), join(__dirname, 'main.fixture.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: String(httpPort),
        OPERATIONS_PORT: String(operationsPort),
        GRPC_HOST: '127.0.0.1',
        GRPC_PORT: String(grpcPort),
        SERVICE_PRIVATE_KEY: SEED.toString('base64'),
        SERVICE_PUBLIC_KEYS: `gateway:${publicKeyOf(SEED).toString('base64')}`,
        REQUIRED_ONE: 'one',
        REQUIRED_TWO: 'https://two',
        ...env,
      },
    });
    const lines: LogLine[] = [];
    const errors: string[] = [];
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line) as LogLine));
    });
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    const logged = (msg: string) =>
      eventually(async () => lines.find((line) => line.msg === msg), {
        message: `No line ${msg} in ${JSON.stringify(lines)} ${errors.join()}`,
      });
    const operations = `http://127.0.0.1:${operationsPort}`;
    const service = {
      base: `http://127.0.0.1:${env['HTTP_PORT'] ?? httpPort}`,
      operations,
      grpcPort,
      child,
      lines,
      errors,
      exited,
      logged,
    };
    running.push(service);
    return service;
  }

  async function start(env: Record<string, string> = {}): Promise<RunningService> {
    const service = await launch(env);
    await service.logged('Listening');
    return service;
  }

  afterEach(async () => {
    for (const { child, exited } of running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    }
    for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(resolve));
  });

  it('drains on SIGTERM: finishes HTTP and gRPC requests in flight, then closes, then exits 0', async () => {
    const service = await start();
    const answers = ['/until-draining', '/grpc-until-draining'].map((path) => fetch(service.base + path).then((answer) => answer.text()));
    await eventually(async () => service.lines.filter(({ msg }) => msg === 'request begun').length === 2);
    service.child.kill('SIGTERM');
    expect(await Promise.all(answers)).toEqual(['finished', 'finished']);
    expect(await service.exited).toBe(0);
    const order = ['Draining', 'no new work', 'connections closed', 'Drained'];
    expect(service.lines.map(({ msg }) => msg).filter((msg) => order.includes(msg))).toEqual(order);
    await expect(fetch(`${service.operations}/health/live`)).rejects.toThrow();
  });

  it('tells at its start what it does not read and what is not usual, and starts all the same', async () => {
    const service = await start({ LOG_REQUEST: 'false', DRAIN_DELAY_MS: '100', GRPC_AUTH: '', OTHER: 'x' });
    expect((await service.logged('Variables are set that this service does not read'))['unread']).toEqual([
      { variable: 'LOG_REQUEST', near: ['LOG_REQUESTS'] },
    ]);
    const { changed } = await service.logged('Settings that are not the default');
    expect(changed).toMatchObject({ DRAIN_DELAY_MS: '100', HTTP_HOST: '127.0.0.1' });
    expect(Object.keys(changed as object)).not.toContain('LOG_REQUESTS');
    const told = await fetch(`${service.operations}/settings`).then((answer) => answer.text());
    expect(JSON.parse(told)).toMatchObject({ changed, given: { REQUIRED_ONE: expect.stringMatching(/^[0-9a-f]{12}$/) } });
    expect(told + JSON.stringify(service.lines)).not.toContain(SEED.toString('base64'));
  });

  it('tells once which settings of a caller differ', async () => {
    const callee = await start({ GRPC_AUTH: 'accepted' });
    const OTHER_GRPC_URL = `127.0.0.1:${callee.grpcPort}`;
    for (let n = 0; n < 2; n += 1) {
      const caller = await start({ OTHER_GRPC_URL });
      expect((await fetch(`${caller.base}/hop`)).status).toBe(200);
      expect((await fetch(`${caller.base}/hop`)).status).toBe(200);
    }
    const line = await callee.logged('A setting differs from that of a service that calls');
    expect(line).toMatchObject({ level: 'warn', caller: 'gateway', setting: 'GRPC_AUTH' });
    // Its lines come in order, so what it had to say of all calls is there.
    callee.child.kill('SIGTERM');
    await callee.exited;
    expect(callee.lines.filter(({ msg }) => msg === line.msg)).toHaveLength(1);
  });

  it('ends although connections were opened in advance and never used', async () => {
    const service = await start();
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await fetch(`${service.base}/nothing`);
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    await closed;
  });

  it('is not ready while it drains, and still answers during the drain delay', async () => {
    const service = await start({ DRAIN_DELAY_MS: '25000' });
    expect((await fetch(`${service.operations}/health/ready`)).status).toBe(200);
    const { headers } = await fetch(`${service.base}/hop`);
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=60']);
    service.child.kill('SIGTERM');
    const answer = await eventually(async () => {
      const ready = await fetch(`${service.operations}/health/ready`);
      return ready.status === 503 && ready.json();
    });
    expect(answer).toMatchObject({ error: { process: { message: 'draining' } } });
    const last = await fetch(`${service.base}/hop`);
    expect(last.status).toBe(200);
    expect([last.headers.get('connection'), last.headers.get('keep-alive')]).toEqual(['close', null]);
  });

  it('reports every error of its environment in one line and exits 1', async () => {
    const service = await launch({ REQUIRED_ONE: '', REQUIRED_TWO: 'hunter2', HTTP_PORT: 'x' });
    expect(await service.exited).toBe(1);
    expect(service.lines).toHaveLength(1);
    expect(service.lines[0]).toMatchObject({
      level: 'fatal',
      name: 'fixture',
      msg: expect.stringMatching(/HTTP_PORT: .*REQUIRED_ONE: required; REQUIRED_TWO: /),
    });
    expect(JSON.stringify(service.lines) + service.errors.join()).not.toContain('hunter2');
  });

  it('exits 1 if calls need a token and no key of a caller is configured', async () => {
    const service = await launch({ SERVICE_PUBLIC_KEYS: '' });
    expect(await service.exited).toBe(1);
    const faults = service.lines.filter(({ level }) => level !== 'info');
    expect(faults).toMatchObject([{ level: 'fatal', msg: expect.stringContaining('SERVICE_PUBLIC_KEYS: required unless') }]);
  });

  it('exits 1 with one line if its port is in use', async () => {
    const taken = createTcpServer();
    servers.push(taken);
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const service = await launch({ HTTP_PORT: String((taken.address() as AddressInfo).port) });
    expect(await service.exited).toBe(1);
    expect(service.lines.filter(({ level }) => level === 'fatal')).toMatchObject([{ err: { code: 'EADDRINUSE' } }]);
  });

  it('has a line of the log for what a library prints', async () => {
    const service = await start();
    await fetch(`${service.base}/print`);
    expect(await service.logged('printed by a library\nof two lines')).toMatchObject({ level: 'warn', name: 'fixture' });
    expect(service.errors).toEqual([]);
  });

  it('exits 1 with one line after an unhandled error', async () => {
    const service = await start();
    await fetch(`${service.base}/reject`).catch(() => undefined);
    expect(await service.exited).toBe(1);
    expect(service.lines.filter(({ level }) => level === 'fatal')).toMatchObject([{ err: { message: 'nobody waits for this' } }]);
  });

  describe('telemetry', () => {
    const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
    const PARENT = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
    interface Hop {
      here: { traceparent: string };
      there: { traceparent: string; requestId: string };
    }
    const hop = async (service: RunningService, headers: Record<string, string>) =>
      (await (await fetch(`${service.base}/hop`, { headers })).json()) as Hop;

    it('has one trace over HTTP, gRPC and the log, which the client does not choose, also without a collector', async () => {
      const service = await start();
      const { here, there } = await hop(service, { ...PARENT, 'x-request-id': 'one-request' });
      const traceId = /^00-([0-9a-f]{32})-[0-9a-f]{16}-00$/.exec(here.traceparent)![1]!;
      expect(traceId).not.toBe(TRACE_ID);
      expect(there).toMatchObject({ traceparent: expect.stringContaining(traceId), requestId: 'one-request' });
      expect(await service.logged('hop')).toMatchObject({ trace_id: traceId, request_id: 'one-request', span_id: expect.any(String) });
    });

    it('has one line for each request, and the lines of a call name its project and report', async () => {
      const service = await start();
      await hop(service, { 'x-request-id': 'one-request' });
      expect(await service.logged('Request')).toMatchObject({
        level: 'info',
        name: 'http',
        method: 'GET',
        route: '/hop',
        status: 200,
        duration_ms: expect.any(Number),
        request_id: 'one-request',
      });
      expect(await service.logged('asked')).toMatchObject({
        request_id: 'one-request',
        project_id: '00000000-0000-7000-8000-00000000000a',
        report_id: '00000000-0000-7000-8000-00000000000b',
      });
    });

    it('has no line for a request where that is switched off', async () => {
      const service = await start({ LOG_REQUESTS: 'false' });
      await hop(service, {});
      await hop(service, {});
      expect(service.lines.filter(({ msg }) => msg === 'hop')).toHaveLength(2);
      expect(service.lines.filter(({ msg }) => msg === 'Request')).toEqual([]);
    });

    it('counts a client that hangs up as status 499, and logs no error', async () => {
      const service = await start({ LOG_LEVEL: 'debug' });
      const { hostname, port } = new URL(service.base);
      const head = 'POST /size HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      for (let client = 0; client < 5; client += 1) {
        const socket = connect(Number(port), hostname);
        socket.write(head, () => socket.destroy());
      }
      const counted = /tire_http_server_seconds_count\{[^}]*http_route="\/size",http_response_status_code="499"\} 5/;
      await eventually(async () => counted.test(await (await fetch(`${service.operations}/metrics`)).text()));
      await service.logged('A client closed the connection before its request was complete');
      expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    });

    it('serves metrics of the process and of requests', async () => {
      const service = await start();
      await hop(service, { 'x-request-id': 'one-request' });
      const text = await (await fetch(`${service.operations}/metrics`)).text();
      expect(text).toMatch(/^tire_process_cpu_seconds\{.*\} [\d.e-]+$/m);
      expect(text).toMatch(
        /^tire_http_server_seconds_count\{http_request_method="GET",http_route="\/hop",http_response_status_code="200"\} 1$/m,
      );
      expect(text).toMatch(/^tire_grpc_server_seconds_count\{[^}]*rpc_method="[^"]*GetContentRevision"[^}]*\} 1$/m);
      expect(text).not.toContain('/health');
      expect(text).not.toContain('one-request');
    });

    it('is sent to the configured collector', async () => {
      const received: Buffer[] = [];
      const collector = createServer((request: IncomingMessage, response) => {
        request.on('data', (chunk: Buffer) => received.push(chunk));
        request.on('end', () => response.end());
      });
      servers.push(collector);
      await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
      const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'fixture', OTEL_BSP_SCHEDULE_DELAY: '10' });
      await fetch(`${service.operations}/health/ready`);
      await hop(service, { ...PARENT, 'x-request-id': 'one-request' });
      service.child.kill('SIGTERM');
      expect(await service.exited).toBe(0);
      const spans = Buffer.concat(received).toString('latin1');
      expect(spans).toContain(Buffer.from(TRACE_ID, 'hex').toString('latin1'));
      expect(spans).toContain('GetContentRevision');
      expect(spans).toContain('/hop');
      // The span of the request, and that of the gRPC call that it caused.
      expect(spans.match(/tire\.request_id[^a-z]+one-request/g)).toHaveLength(2);
      expect(spans).not.toContain('/health');
    });
  });
});
