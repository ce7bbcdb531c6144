import { newId } from '@tire/kernel';
import { createTestDatabase, spawnTypeScript, type TestDatabase } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATIONS } from './migrations';
import { newWebhookSecret } from './webhook-secrets.store';

interface SecretRow {
  readonly secret: string;
  readonly rotated: boolean;
}

describe('admin set-webhook-secret', () => {
  let database: TestDatabase;
  let owner: Client;

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'share_admin', migrations: MIGRATIONS });
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`SELECT set_config('app.scope', 'system', false)`);
  });
  afterAll(async () => {
    await owner?.end();
    await database?.drop();
  });

  async function run(...args: string[]): Promise<unknown> {
    const child = spawnTypeScript(join(__dirname, 'admin.ts'), args, { DATABASE_URL: database.url });
    const [code] = await once(child, 'exit');
    return code;
  }

  it('keeps the given secret, and the one before it for a day', async () => {
    const project = newId();
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    expect(await run('set-webhook-secret', '--project', project, '--secret', first)).toBe(0);
    expect(await run('set-webhook-secret', '--project', project, '--secret', second)).toBe(0);
    expect(await run('set-webhook-secret', '--project', project, '--secret', second)).toBe(0);
    const { rows } = await owner.query<SecretRow>(
      'SELECT secret, expires_at IS NOT NULL AS rotated FROM webhook_secrets WHERE project_id = $1 ORDER BY created_at',
      [project],
    );
    expect(rows).toEqual([
      { secret: first, rotated: true },
      { secret: second, rotated: false },
    ]);
  });

  it.each([
    ['no command', []],
    ['no project', ['set-webhook-secret']],
    ['a project that is no id', ['set-webhook-secret', '--project', 'x']],
    ['a weak secret', ['set-webhook-secret', '--project', newId(), '--secret', 'whsec_abc']],
  ])('refuses %s', async (_name, args) => {
    expect(await run(...args)).toBe(2);
  });
});
