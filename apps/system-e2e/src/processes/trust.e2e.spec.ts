import { Client as GrpcClient, credentials, Metadata, status } from '@grpc/grpc-js';
import { callersOf, type ServiceName } from '@tire/contracts/grpc';
import { connect } from 'nats';
import { createPrivateKey, sign } from 'node:crypto';
import { Client } from 'pg';
import { environmentOf } from './processes';
import { stackUnderTest } from '../stack-under-test';
import { systemReady } from '../world';

const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'] as const;
const CALLEES = ['ledger', 'assets', 'content', 'share'] as const;
type Callee = (typeof CALLEES)[number];

const variablesOf = (service: string) => environmentOf(stackUnderTest().pids[service]!);

/** An rpc of each callee, which inference may not call. */
const PROBES: Readonly<Record<Callee, string>> = {
  ledger: '/tire.ledger.v1.LedgerService/GetReports',
  assets: '/tire.assets.v1.AssetService/IssueTargets',
  content: '/tire.content.v1.ContentService/GetContentRevision',
  share: '/tire.share.v1.ShareService/GetShare',
};

/** The form of RFC 8410 before the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function tokenOf(caller: ServiceName, callee: Callee): string {
  const seed = Buffer.from(variablesOf(caller)['SERVICE_PRIVATE_KEY']!, 'base64');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const expiresMs = Date.now() + 60_000;
  const signature = sign(null, Buffer.from(`tire call 1 ${caller} ${callee} ${expiresMs}`), key).toString('base64url');
  return `${caller}.${callee}.${expiresMs}.${signature}`;
}

/** The status of a call with an empty message and the token of this service. Undefined: without a token. */
async function called(callee: Callee, as: ServiceName | undefined): Promise<string> {
  const client = new GrpcClient(`127.0.0.1:${variablesOf(callee)['GRPC_PORT']}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (as) metadata.set('x-caller', tokenOf(as, callee));
  const asIs = (bytes: Buffer): Buffer => bytes;
  try {
    return await new Promise((resolve) =>
      client.makeUnaryRequest(PROBES[callee], asIs, asIs, Buffer.alloc(0), metadata, (error) => resolve(status[error?.code ?? status.OK])),
    );
  } finally {
    client.close();
  }
}

/** The calls that each process of the running system allows to the others. */
describe('between the services', () => {
  beforeAll(() => systemReady());

  it.each(CALLEES)('%s refuses a call without a token, and of a service that may not make it', async (callee) => {
    expect(await called(callee, undefined)).toBe('UNAUTHENTICATED');
    expect(await called(callee, 'inference')).toBe('PERMISSION_DENIED');
    const [allowed] = callersOf(PROBES[callee]);
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
