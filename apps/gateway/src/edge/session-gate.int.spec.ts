import { eventually } from '@tire/test-harness';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { Browser, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

/** The places that one user gets while no other user has any of the twenty. */
const OF_USER = 7;

it('requests of the console hold nothing after a disconnect during the look-up of the membership', async () => {
  const gateway = await startGateway({ environment: { REQUESTS_IN_FLIGHT_MAX: 20 } });
  const lock = new Client({ connectionString: gateway.ownerUrl });
  try {
    const { organizationId, email } = await newOrganization(gateway.databaseUrl);
    const one = new Browser(gateway.origin);
    await one.signIn(email);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE memberships');
    const path = `/organizations/${organizationId}/projects`;
    const head = [
      `POST /console/api${path} HTTP/1.1`,
      ...['Host: gateway', `Origin: ${gateway.origin}`, `Cookie: ${one.cookie}`, `X-CSRF-Token: ${one.csrfToken}`],
      ...['Content-Type: application/json', 'Content-Length: 1000', '', '{"name":'],
    ].join('\r\n');
    const sockets = Array.from({ length: OF_USER }, () => connect(gateway.port, '127.0.0.1'));
    for (const socket of sockets) socket.write(head);
    const waiting = `SELECT FROM pg_locks WHERE relation = 'memberships'::regclass AND NOT granted`;
    await eventually(async () => (await lock.query(waiting)).rowCount === OF_USER, { message: 'Not every look-up waits' });
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
    // Sent after the sockets are closed, so that the gateway has seen the disconnects.
    expect((await gateway.call('GET', '/reports/none', { key: '' })).status).toBe(401);
    await lock.query('ROLLBACK');
    const body = { name: 'Project', mode: 'test' };
    const answers = await Promise.all(Array.from({ length: OF_USER }, () => one.call('POST', path, { body })));
    expect(answers.map(({ status }) => status)).not.toContain(429);
  } finally {
    await lock.end();
    await gateway.stop();
  }
});

it('a path of the console with another method gives 405 with its methods, in every spelling', async () => {
  const gateway = await startGateway({});
  try {
    const { organizationId, email } = await newOrganization(gateway.databaseUrl);
    const one = new Browser(gateway.origin);
    await one.signIn(email);
    for (const [method, path, allowed] of [
      ['PUT', '/session', 'POST, GET, HEAD, DELETE'],
      ['GET', '/invitations/accept', 'POST'],
      ['DELETE', `/organizations/${organizationId}/projects`, 'GET, HEAD, POST'],
      ['POST', '/%61ccount/sessions', 'GET, HEAD'],
      ['OPTIONS', `/projects/${organizationId}/deliveries/${organizationId}`, 'GET, HEAD'],
      // A fixed part of the path, and not an id.
      ['OPTIONS', `/projects/${organizationId}/deliveries/test`, 'POST'],
      ['POST', '/openapi.json', 'GET, HEAD'],
    ] as const) {
      const { status, headers, error } = await one.call(method, path);
      expect([path, status, headers.get('allow'), error?.code]).toEqual([path, 405, allowed, 'validation_error']);
    }
    for (const method of ['GET', 'POST']) expect((await one.call(method, '/nothing')).status).toBe(404);
    // The paths are no secret: the document is public. What has no path needs a session.
    const nobody = new Browser(gateway.origin);
    expect((await nobody.call('PUT', '/session')).status).toBe(405);
    expect((await nobody.call('POST', '/nothing')).status).toBe(401);
  } finally {
    await gateway.stop();
  }
});
