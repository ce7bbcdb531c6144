import { newId } from '@tire/kernel';
import { migrate } from '@tire/platform';
import { createTestDatabase, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import { MIGRATIONS } from '.';
import { ForgottenReceivers1765600000000 } from './1765600000000-forgotten-receivers';

const NAME = new ForgottenReceivers1765600000000().name;
const before = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex((Migration) => new Migration().name === NAME),
);

describe('receivers of messages that were sent before the customer got another number or address', () => {
  let database: TestDatabase;
  let client: Client;
  const [organizationId, projectId] = [newId(), newId()];

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'gateway', migrations: before });
    client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
    await client.query(`SELECT set_config('app.scope', 'system', false)`);
    await client.query(`INSERT INTO organizations (organization_id, name) VALUES ($1, 'Shop')`, [organizationId]);
    await client.query(`INSERT INTO projects (project_id, organization_id, mode, name) VALUES ($1, $2, 'live', 'Live')`, [
      projectId,
      organizationId,
    ]);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  const message = async (reportId: string, channel: string, at: string, state = 'sent') => {
    const id = newId();
    await client.query(
      `INSERT INTO messages (message_id, owner, project_id, report_id, kind, channel, state, receiver, content, next_at, expires_at, created_at, ended_at)
       VALUES ($1, $2, $2, $3, 'report', $4, $5, 'x', $7::bytea, $6, $6, $6, CASE WHEN $7::bytea IS NULL THEN now() END)`,
      [id, projectId, reportId, channel, state, at, state === 'queued' ? 'x' : null],
    );
    return id;
  };
  const changed = (reportId: string, fields: string, at: string) =>
    client.query(
      `INSERT INTO audit_log (entry_id, organization_id, at, action, project_id, subject, details, address)
       VALUES ($1, $2, $3, 'visit.changed', $4, $5, $6, '')`,
      [newId(), organizationId, at, projectId, reportId, JSON.stringify({ fields })],
    );

  it('are gone; those of the present number or address, and of messages that wait, stay', async () => {
    const [one, other] = [newId(), newId()];
    await changed(one, 'name phone email', '2026-11-01');
    await message(one, 'sms', '2026-11-02');
    await message(one, 'sms', '2026-11-03');
    const present = [
      await message(one, 'email', '2026-11-02'),
      await message(one, 'sms', '2026-11-05'),
      await message(one, 'sms', '2026-11-02', 'queued'),
      await message(other, 'sms', '2026-11-02'),
    ];
    await changed(one, 'phone note', '2026-11-04');
    await changed(other, 'name', '2026-11-04');
    const settings = { url: database.ownerUrl, runtimeRole: new URL(database.url).username };
    await migrate({ name: 'gateway', migrations: MIGRATIONS }, settings, () => undefined);
    const { rows } = await client.query<{ id: string }>('SELECT message_id AS id FROM messages WHERE receiver IS NOT NULL');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(present.toSorted());
  });
});
