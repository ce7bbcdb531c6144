import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { CALLERS, callersOf, SERVICE_NAMES } from './callers';

describe('the callers of rpcs', () => {
  it('are found by the path that gRPC writes', () => {
    expect(callersOf('/tire.ledger.v1.LedgerService/CreateReport')).toEqual(['gateway']);
    expect(callersOf('/tire.assets.v1.AssetService/SignRead')).toEqual(['inference']);
  });

  it.each([
    '/tire.ledger.v1.LedgerService/Unknown',
    '/tire.nobody.v1.NobodyService/Get',
    '/other',
    '/tire.ledger.v1.LedgerService/ToString',
    '',
  ])('are nobody for %j', (path) => expect(callersOf(path)).toEqual([]));

  it('are the services that have a client of the callee', () => {
    const folder = join(__dirname, '../../../../apps');
    const found = execFileSync('git', ['grep', '-hE', 'grpcClients\\(', '--', '*/src/app.module.ts'], { cwd: folder, encoding: 'utf8' });
    const calls = [...found.matchAll(/grpcClients\('(\w+)', config, \[([^\]]*)\]\)/g)];
    const clients = calls.flatMap(([, caller, callees]) => [...callees!.matchAll(/\w+/g)].map(([callee]) => `${caller} ${callee}`));
    const edges = Object.entries(CALLERS).flatMap(([callee, rpcs]) =>
      Object.values(rpcs).flatMap((names) => names.map((name) => `${name} ${callee}`)),
    );
    expect([...new Set(edges)].sort()).toEqual(clients.sort());
    expect(edges.every((edge) => (SERVICE_NAMES as readonly string[]).includes(edge.split(' ')[0]!))).toBe(true);
  });
});
