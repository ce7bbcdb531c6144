import { newId } from '@tire/kernel';
import { readSealingKeys } from '@tire/platform';
import { createTestDatabase, spawnTypeScript, type TestDatabase } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATIONS } from '../migrations';
import { newWebhookSecret, openSecret, type StoredSecret } from './webhook-secret.store';

const written = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const SEALING_KEYS = written('old');
const keys = readSealingKeys(SEALING_KEYS)!;

interface SecretRow extends StoredSecret {
  /** The time until which it signs. Null: until it is replaced. */
  readonly hours: number | null;
}

describe('admin of share', () => {
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

  const output = (...args: string[]) => outputWith(SEALING_KEYS, ...args);
  async function outputWith(sealingKeys: string, ...args: string[]): Promise<{ code: unknown; text: string }> {
    const child = spawnTypeScript(join(__dirname, '../admin.ts'), args, { DATABASE_URL: database.url, SEALING_KEYS: sealingKeys }, 'pipe');
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = await once(child, 'close');
    return { code, text };
  }
  const run = async (...args: string[]) => (await output(...args)).code;

  const secretsOf = async (project: string) => {
    const { rows } = await owner.query<SecretRow>(
      `SELECT id, secret, round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM webhook_secrets
       WHERE project_id = $1 ORDER BY created_at`,
      [project],
    );
    return rows.map((row) => ({ secret: openSecret(keys, project, row), hours: row.hours }));
  };

  it('rotate-webhook-secret stores the given secret, and keeps the previous one for a day', async () => {
    const project = newId();
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    expect(await run('rotate-webhook-secret', '--project', project, '--secret', first)).toBe(0);
    expect(await run('rotate-webhook-secret', '--project', project, '--secret', second)).toBe(0);
    expect(await run('rotate-webhook-secret', '--project', project, '--secret', second)).toBe(0);
    expect(await secretsOf(project)).toEqual([
      { secret: first, hours: 24 },
      { secret: second, hours: null },
    ]);
  });

  it('rotate-webhook-secret creates and shows a secret; the overlap has the given length, and a leaked secret ends immediately', async () => {
    const project = newId();
    const made: string[] = [];
    for (const hours of ['24', '2', '48', '0']) {
      const { code, text } = await output('rotate-webhook-secret', '--project', project, '--overlap-hours', hours);
      expect(code).toBe(0);
      made.push((JSON.parse(text) as { secret: string }).secret);
      const left = { '24': [null], '2': [2, null], '48': [2, 48, null], '0': [0, 0, 0, null] }[hours];
      expect(await secretsOf(project)).toEqual(made.map((secret, index) => ({ secret, hours: left?.[index] })));
    }
    expect(new Set(made).size).toBe(4);
  });

  it('reseal moves everything to the first key, after which the older one is not needed', async () => {
    const project = newId();
    const secret = newWebhookSecret();
    await run('rotate-webhook-secret', '--project', project, '--secret', secret);
    const [fresh, both] = [written('fresh'), `${written('fresh')},${SEALING_KEYS}`];
    const { code, text } = await outputWith(both, 'reseal');
    expect({ code, text: JSON.parse(text) as object }).toMatchObject({
      code: 0,
      text: { 'webhook_secrets.secret': { unopened: 0, left: 0 } },
    });
    const [row] = (await owner.query<StoredSecret>('SELECT id, secret FROM webhook_secrets WHERE project_id = $1', [project])).rows;
    expect(openSecret(readSealingKeys(fresh)!, project, row!)).toBe(secret);
    // The operator removed a key too early.
    const early = await outputWith(written('later'), 'reseal');
    expect(early.code).toBe(1);
    expect(JSON.parse(early.text)).toMatchObject({ 'webhook_secrets.secret': { resealed: 0, left: 0 } });
  });

  it.each([
    ['no command', []],
    ['no project', ['rotate-webhook-secret']],
    ['an invalid project id', ['rotate-webhook-secret', '--project', 'x']],
    ['a weak secret', ['rotate-webhook-secret', '--project', newId(), '--secret', 'whsec_abc']],
    ['an overlap beyond a month', ['rotate-webhook-secret', '--project', newId(), '--overlap-hours', '721']],
    ['an overlap that is not a number', ['rotate-webhook-secret', '--project', newId(), '--overlap-hours', 'x']],
  ])('refuses %s', async (_name, args) => {
    expect(await run(...args)).toBe(2);
  });
});
