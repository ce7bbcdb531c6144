import { status } from '@grpc/grpc-js';
import { CALLERS, GRPC_SERVICES, type ServiceName } from '@tire/contracts/grpc';
import { callSigner, grpcClient } from '@tire/platform';
import { newId } from '@tire/kernel';
import { connect } from 'nats';
import { Client } from 'pg';
import { environmentOf } from './processes';
import { stackUnderTest } from './stack-under-test';
import { systemReady } from './world';

const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'] as const;
const CALLEES = ['ledger', 'assets', 'content', 'share'] as const;
type Callee = (typeof CALLEES)[number];

const variablesOf = (service: string) => environmentOf(stackUnderTest().pids[service]!);

/** An rpc of each callee, which inference may not call. */
const PROBES: Readonly<Record<Callee, string>> = {
  ledger: 'getReports',
  assets: 'issueTargets',
  content: 'getContentRevision',
  share: 'getShare',
};

/** The status of a call that a process with the key of this service makes. Undefined: it has no key. */
async function called(callee: Callee, as: ServiceName | undefined): Promise<string> {
  const signer = as && callSigner(as, { SERVICE_PRIVATE_KEY: variablesOf(as)['SERVICE_PRIVATE_KEY'] });
  const client = grpcClient<Record<string, never>>(GRPC_SERVICES[callee], `127.0.0.1:${variablesOf(callee)['GRPC_PORT']}`, { signer });
  const rpc = (client as unknown as Record<string, (request: object) => Promise<unknown>>)[PROBES[callee]]!;
  try {
    await rpc({ projectId: newId(), reportId: newId() });
    return 'OK';
  } catch (error) {
    const { code } = (error as { cause: { code?: status } }).cause;
    return status[code!]!;
  } finally {
    client.onApplicationShutdown();
  }
}

/** What each process of the running system lets the others do. */
describe('between the services', () => {
  beforeAll(() => systemReady());

  it.each(CALLEES)('%s refuses a call without a token, and of a service that may not make it', async (callee) => {
    expect(CALLERS[callee]![PROBES[callee]]).not.toContain('inference');
    expect(await called(callee, undefined)).toBe('UNAUTHENTICATED');
    expect(await called(callee, 'inference')).toBe('PERMISSION_DENIED');
    const [allowed] = CALLERS[callee]![PROBES[callee]]!;
    expect(['UNAUTHENTICATED', 'PERMISSION_DENIED']).not.toContain(await called(callee, allowed));
  });

  it('each process has the private key of its service only', () => {
    const keys = SERVICES.map((service) => variablesOf(service)['SERVICE_PRIVATE_KEY']!);
    expect(new Set(keys).size).toBe(SERVICES.length);
    for (const [index, service] of SERVICES.entries()) {
      const text = JSON.stringify(variablesOf(service));
      expect(keys.filter((key) => text.includes(key))).toEqual([keys[index]]);
    }
  });

  it('the broker refuses strangers, and the share service what is not its own', async () => {
    const { NATS_URL, NATS_PASSWORD } = variablesOf('share');
    await expect(connect({ servers: NATS_URL! })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
    const share = await connect({ servers: NATS_URL!, user: 'share', pass: NATS_PASSWORD!, inboxPrefix: '_INBOX_share' });
    await expect(share.request('analysis.tread', '')).rejects.toMatchObject({ code: 'PERMISSIONS_VIOLATION' });
    await share.close();
  });

  it('a runtime role connects to its own database only', async () => {
    const url = new URL(variablesOf('share')['DATABASE_URL']!);
    url.pathname = '/tire_ledger';
    await expect(new Client({ connectionString: url.toString() }).connect()).rejects.toThrow(/permission denied for database/);
  });

  it.each(SERVICES)('%s serves health and metrics on the port of operations only', async (service) => {
    const { HTTP_PORT, OPERATIONS_PORT } = variablesOf(service);
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(`http://127.0.0.1:${HTTP_PORT}${path}`)).status).toBe(404);
      expect((await fetch(`http://127.0.0.1:${OPERATIONS_PORT}${path}`)).status).toBe(200);
    }
  });
});
