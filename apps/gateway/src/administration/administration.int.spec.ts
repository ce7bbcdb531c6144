import { Readable } from 'node:stream';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { createTestDatabase, eventually, testClock, type TestDatabase } from '@tire/test-harness';
import { DataSource } from 'typeorm';
import { auditEntries } from '../audit/audit.store';
import { administer, UsageError } from './administration';
import { addPasskey, passkeysOf } from '../identity/passkeys/passkeys.store';
import { digestOf } from '../keys/api-key';
import { KeyAuthority } from '../keys/key-authority';
import { MIGRATIONS } from '../migrations';
import { recordKeyUse } from '../keys/key.store';
import { listedRules } from '../projects/rules.store';
import { RulesService } from '../projects/rules.service';

describe('administration', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    source = await new DataSource({ type: 'postgres', url: testDatabase.url }).initialize();
    database = new Database(source);
  });

  afterAll(async () => {
    await source?.destroy();
    await testDatabase?.drop();
  });

  const admin = (args: string[], input = '') => administer(args, Readable.from([input]), () => testDatabase.url);
  const adminJson = async (args: string[], input?: string) => JSON.parse(await admin([...args, '--json'], input)) as Record<string, string>;
  const organization = async () => (await adminJson(['create-organization', '--name', 'Shop'])).id!;
  const project = async (mode: string) =>
    (await adminJson(['create-project', '--organization', await organization(), '--mode', mode, '--name', 'P'])).id!;
  const keyOf = (projectId: string, scopes = 'report:*') =>
    adminJson(['create-key', '--project', projectId, '--scopes', scopes, '--name', 'server']);

  it.each(['test', 'live'])('issues a key of a %s project, which is valid for that project until it is revoked', async (mode) => {
    const projectId = await project(mode);
    const issued = await keyOf(projectId, 'report:read,report:write');
    expect(issued.key).toMatch(new RegExp(`^svc_${mode}_`));
    const clock = testClock();
    const authority = new KeyAuthority(database, clock);
    const holder = await authority.holderOf(`Bearer ${issued.key}`, () => '192.0.2.1');
    expect(holder).toEqual({
      keyId: issued.id,
      projectId,
      organizationId: expect.any(String),
      mode,
      scopes: ['report:read', 'report:write'],
    });

    await adminJson(['revoke-key', '--key', issued.id!]);
    expect(await authority.holderOf(`Bearer ${issued.key}`, () => '192.0.2.1')).toEqual(holder);
    clock.advanceMs(1_000);
    expect(await authority.holderOf(`Bearer ${issued.key}`, () => '192.0.2.1')).toBeNull();
    const again = await adminJson(['revoke-key', '--key', issued.id!]);
    expect(again).toEqual(await adminJson(['revoke-key', '--key', issued.id!]));
  });

  it('lists the keys of one project with their last use', async () => {
    const projectId = await project('live');
    const [first, second] = [await keyOf(projectId), await keyOf(projectId, 'report:read')];
    await keyOf(await project('live'));
    await adminJson(['revoke-key', '--key', first!.id!]);
    const usedAt = Date.UTC(2026, 9, 1);
    await database.asSystem((tx) => recordKeyUse(tx, new Map([[second!.id!, usedAt]])));
    const answer = await admin(['list-keys', '--project', projectId, '--json']);
    expect(JSON.parse(answer)).toEqual([
      expect.objectContaining({ id: first!.id, scopes: ['report:*'], last_used_at: null, revoked_at: expect.any(String) }),
      expect.objectContaining({
        id: second!.id,
        name: 'server',
        scopes: ['report:read'],
        last_used_at: '2026-10-01T00:00:00.000Z',
        revoked_at: null,
      }),
    ]);
    const shown = await admin(['list-keys', '--project', projectId]);
    expect(shown).toMatch(/^id: .*\nname: server\nkey: svc_live_.*…/);
    expect(shown).toContain('last_used_at: never');
    for (const { key } of [first!, second!]) expect(answer + shown).not.toContain(key);
    await expect(admin(['list-keys', '--project', newId()])).rejects.toThrow('There is no such project.');
  });

  it('stores only the digest and the displayed characters of a key', async () => {
    const { id, key, prefix, last4 } = await keyOf(await project('live'));
    const [row] = await database.asSystem((tx) => tx.rows('SELECT digest, prefix, last4 FROM api_keys WHERE key_id = $1', [id]));
    expect(row).toMatchObject({ digest: digestOf(key!), prefix, last4 });
    const [whole] = await database.asSystem((tx) =>
      tx.rows<{ text: string }>('SELECT k::text AS text FROM api_keys k WHERE key_id = $1', [id]),
    );
    expect(whole!.text).not.toContain(key!.slice(20, 40));
  });

  it('a query without a project returns no keys and no projects', async () => {
    const { id, project: projectId } = await keyOf(await project('live'));
    const count = 'SELECT count(*)::int AS n FROM api_keys JOIN projects USING (project_id) WHERE key_id = $1';
    expect(await source.query(count, [id])).toEqual([{ n: 0 }]);
    expect(await database.projectQuery(projectId!, count, [id])).toEqual([{ n: 1 }]);
    expect(await database.projectQuery(await project('live'), count, [id])).toEqual([{ n: 0 }]);
  });

  it('refuses a second test project, a second member with the same address, and unknown ids', async () => {
    const ours = await organization();
    const testProject = ['create-project', '--organization', ours, '--mode', 'test', '--name', 'T'];
    await admin(testProject);
    await expect(admin(testProject)).rejects.toThrow('has a test project already');
    const owner = ['create-owner', '--organization', ours, '--email', 'Owner@Shop.example', '--password-stdin'];
    expect(await adminJson(owner, 'correct horse battery\n')).toMatchObject({ email: 'owner@shop.example', organization: ours });
    await expect(admin(owner, 'correct horse battery\n')).rejects.toThrow('exists already');
    await expect(keyOf('0193f3a0-0000-7000-8000-000000000001')).rejects.toThrow('no such project');
    await expect(admin(['revoke-key', '--key', '0193f3a0-0000-7000-8000-000000000001'])).rejects.toThrow('no such key');
  });

  it('creates an organization and its owner in one transaction', async () => {
    const args = ['create-organization', '--name', 'Shop', '--owner-email', 'First@Shop.example', '--password-stdin'];
    const made = await adminJson(args, 'correct horse battery\n');
    expect(made).toEqual({ id: expect.any(String), name: 'Shop', owner: expect.any(String), email: 'first@shop.example' });
    const [membership] = await source.query<object[]>('SELECT role, user_id FROM memberships WHERE organization_id = $1', [made.id]);
    expect(membership).toEqual({ role: 'owner', user_id: made.owner });
    const organizations = async () => source.query<object[]>('SELECT organization_id FROM organizations');
    const before = await organizations();
    await expect(admin(args, 'correct horse battery')).rejects.toThrow('exists already');
    expect(await organizations()).toEqual(before);
  });

  it('every change has an entry in the audit log, without an actor, and a repeated one has none', async () => {
    const { id: organizationId } = await adminJson(
      ['create-organization', '--name', 'Shop', '--owner-email', 'a@audit.example', '--password-stdin'],
      'correct horse battery',
    );
    const { id: projectId } = await adminJson(['create-project', '--organization', organizationId!, '--mode', 'live', '--name', 'P']);
    const { id: keyId } = await keyOf(projectId!);
    for (let time = 0; time < 2; time += 1) await admin(['revoke-key', '--key', keyId!]);
    await admin(['set-password', '--email', 'a@audit.example', '--password-stdin'], 'another horse battery');
    const ids = await database.asSystem((tx) =>
      tx.rows<{ id: string }>('SELECT user_id AS id FROM users WHERE email = $1', ['a@audit.example']),
    );
    await database.asSystem((tx) => tx.execute(`UPDATE users SET totp_secret = '\\x00' WHERE user_id = $1`, [ids[0]!.id]));
    for (let time = 0; time < 2; time += 1) await admin(['disable-codes', '--email', 'a@audit.example']);
    const entries = await database.asSystem((tx) => auditEntries(tx, organizationId!, undefined, undefined, 10));
    expect(entries.map(({ action, subject, projectId: project, details }) => [action, subject, project, details]).toReversed()).toEqual([
      ['member.joined', 'a@audit.example', null, { role: 'owner' }],
      ['project.created', projectId, projectId, { name: 'P', mode: 'live' }],
      ['key.issued', keyId, projectId, { name: 'server', scopes: 'report:*' }],
      ['key.revoked', keyId, projectId, { name: 'server' }],
      ['password.changed', 'a@audit.example', null, {}],
      ['totp.disabled', 'a@audit.example', null, {}],
    ]);
    for (const { actorId, actorEmail, address } of entries) expect([actorId, actorEmail, address]).toEqual([null, null, '']);
  });

  describe('rules', () => {
    const rulesOf = (projectId: string) => new RulesService(database).of(projectId);
    const set = (rule: string, value: string, ...where: string[]) => adminJson(['set-rule', '--rule', rule, '--value', value, ...where]);
    const changesOf = async (projectId: string) => {
      const [row] = await database.asSystem((tx) =>
        tx.rows<{ id: string }>('SELECT organization_id AS id FROM projects WHERE project_id = $1', [projectId]),
      );
      const entries = await database.asSystem((tx) => auditEntries(tx, row!.id, undefined, undefined, 20));
      return entries
        .filter(({ action }) => action === 'project.rule_changed')
        .map(({ projectId: of, details }) => [of, details['rule'], details['from'], details['to']])
        .toReversed();
    };

    it('apply to one project, then to all that have no choice of their own, and end', async () => {
      const [first, other] = [await project('live'), await project('live')];
      expect(await rulesOf(first)).toEqual({ content_rules: '2.0', size_guesses: 'on' });
      expect(await set('content_rules', '1.1', '--project', first)).toEqual({
        project: first,
        rule: 'content_rules',
        from: 'usual',
        to: '1.1',
      });
      await set('content_rules', '1.1', '--project', first);
      expect([(await rulesOf(first)).content_rules, (await rulesOf(other)).content_rules]).toEqual(['1.1', '2.0']);
      await set('size_guesses', 'off');
      await set('size_guesses', 'on', '--project', first);
      expect([(await rulesOf(first)).size_guesses, (await rulesOf(other)).size_guesses]).toEqual(['on', 'off']);
      const listed = JSON.parse(await admin(['list-rules', '--json'])) as Record<string, string>[];
      expect(listed.map(({ project: of, value, applies }) => [of, value, applies])).toEqual([
        ['all', 'off', 'yes'],
        [first, '1.1', 'yes'],
        [first, 'on', 'yes'],
      ]);
      await set('size_guesses', 'usual');
      await set('content_rules', 'usual', '--project', first);
      expect([(await rulesOf(first)).content_rules, (await rulesOf(other)).content_rules]).toEqual(['2.0', '2.0']);
      expect(await changesOf(first)).toEqual([
        [first, 'content_rules', 'usual', '1.1'],
        [null, 'size_guesses', 'usual', 'off'],
        [first, 'size_guesses', 'usual', 'on'],
        [null, 'size_guesses', 'off', 'usual'],
        [first, 'content_rules', '1.1', 'usual'],
      ]);
      expect(await changesOf(other)).toEqual([
        [null, 'size_guesses', 'usual', 'off'],
        [null, 'size_guesses', 'off', 'usual'],
      ]);
    });

    it('that this release does not have are ignored, listed, and can be removed', async () => {
      const projectId = await project('live');
      await database.asSystem((tx) =>
        tx.execute(`INSERT INTO project_rules VALUES ($1, 'content_rules', '9.0', now()), ($1, 'gone', 'on', now())`, [projectId]),
      );
      expect(await rulesOf(projectId)).toEqual({ content_rules: '2.0', size_guesses: 'on' });
      const listed = async () => {
        const rows = JSON.parse(await admin(['list-rules', '--project', projectId, '--json'])) as Record<string, string>[];
        return rows.map(({ rule, applies }) => [rule, applies]);
      };
      expect(await listed()).toEqual([
        ['content_rules', 'no'],
        ['gone', 'no'],
      ]);
      expect(await database.asSystem((tx) => listedRules(tx, projectId, 1))).toMatchObject({
        rows: [{ rule: 'content_rules' }],
        isWhole: false,
      });
      await set('gone', 'usual', '--project', projectId);
      expect(await listed()).toEqual([['content_rules', 'no']]);
      await expect(set('gone', 'usual', '--project', projectId)).rejects.toThrow('There is no such rule.');
    });

    it('are not those of another project, and none of no project', async () => {
      const [one, other] = [await project('live'), await project('live')];
      await set('size_guesses', 'off', '--project', one);
      expect(await database.projectQuery(other, 'SELECT * FROM project_rules', [])).toEqual([]);
      await expect(set('size_guesses', 'off', '--project', newId())).rejects.toThrow('There is no such project.');
    });

    it('apply in every process a second after they changed', async () => {
      const projectId = await project('live');
      const service = new RulesService(database);
      expect((await service.of(projectId)).size_guesses).toBe('on');
      await set('size_guesses', 'off', '--project', projectId);
      await eventually(async () => (await service.of(projectId)).size_guesses === 'off');
    });
  });

  it('removes the passkeys with the password that it replaces', async () => {
    const owner = ['--owner-email', 'a@passkeys.example', '--password-stdin'];
    await admin(['create-organization', '--name', 'Shop', ...owner], 'correct horse battery');
    const [user] = await database.asSystem((tx) =>
      tx.rows<{ id: string }>('SELECT user_id AS id FROM users WHERE email = $1', ['a@passkeys.example']),
    );
    const passkey = { userId: user!.id, credentialId: 'of-somebody', publicKey: Buffer.alloc(1), counter: 0, transports: [] };
    await database.asSystem((tx) => addPasskey(tx, { ...passkey, name: 'Phone', isSynced: false, createdAt: new Date() }));
    await admin(['set-password', '--email', 'a@passkeys.example', '--password-stdin'], 'another horse battery');
    expect(await database.asSystem((tx) => passkeysOf(tx, user!.id))).toEqual([]);
  });

  it.each([
    [[]],
    [['toString']],
    [['create-organization']],
    [['create-organization', '--name', ' ']],
    [['create-organization', '--name', 'x', '--owner-email', 'nobody', '--password-stdin']],
    [['create-organization', '--name', 'x', '--owner-email', 'a@b.example', '--password-stdin']],
    [['set-password', '--email', 'a@b.example', '--password-stdin']],
    [['create-organization', 'more', '--name', 'x']],
    [['set-rule', '--rule', 'unknown', '--value', 'on']],
    [['set-rule', '--rule', 'content_rules', '--value', '9.0']],
    [['set-rule', '--rule', 'content_rules']],
    [['set-rule', '--rule', 'content_rules', '--value', '1.1']],
    [['set-rule', '--rule', 'content_rules', '--value', '1.1', '--project', 'none']],
    [['create-organization', '--name', 'x', '--colour', 'red']],
    [['create-project', '--organization', 'x', '--mode', 'test', '--name', 'x']],
    [['create-project', '--organization', '0193f3a0-0000-7000-8000-000000000001', '--mode', 'staging', '--name', 'x']],
    [['create-key', '--project', '0193f3a0-0000-7000-8000-000000000001', '--scopes', 'report:read,all', '--name', 'x']],
    [['create-owner', '--organization', '0193f3a0-0000-7000-8000-000000000001', '--email', 'a@b.example']],
    [['create-owner', '--organization', '0193f3a0-0000-7000-8000-000000000001', '--email', 'a@b.example', '--password-stdin']],
  ])('prints usage for %j', async (args) => {
    await expect(admin(args, 'short')).rejects.toThrow(UsageError);
  });

  it('prints text without --json', async () => {
    expect(await admin(['create-organization', '--name', 'Shop'])).toMatch(/^id: [0-9a-f-]{36}\nname: Shop$/);
  });
});
