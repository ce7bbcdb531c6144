import { AuditLog, IssuedApiKey, KeyList, Project, ProjectList } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { findZonesToNote, zoneNoted } from './project.store';

describe('projects and their keys', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;

  beforeAll(async () => {
    gateway = await startGateway();
    [owner, stranger] = [new Browser(gateway.origin, '192.0.2.1'), new Browser(gateway.origin, '192.0.2.2')];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    projectId = Project.parse((await create('Live', 'live')).json).project_id;
  });
  afterAll(() => gateway?.stop());

  const create = (name: string, mode: string) => owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name, mode } });
  const issue = async (scopes: string[], name = 'server') =>
    IssuedApiKey.parse((await owner.call('POST', `/projects/${projectId}/keys`, { body: { name, scopes } })).json);
  const keys = async () => KeyList.parse((await owner.call('GET', `/projects/${projectId}/keys`)).json).keys;
  /** The other services are down: requests that pass the edge get 503. */
  const statusWith = async (key: string, method = 'GET') => (await gateway.call(method, `/reports/${newId()}`, { key })).status;

  it('an organization has one test project and any number of live ones', async () => {
    expect((await create('Test', 'test')).status).toBe(201);
    expect((await create('Second test', 'test')).error?.code).toBe('conflict');
    expect((await create('Another', 'live')).status).toBe(201);
    expect((await create('x', 'staging')).error?.param).toBe('mode');
    const { projects } = ProjectList.parse((await owner.call('GET', `/organizations/${organizationId}/projects`)).json);
    expect(projects.map(({ name, mode }) => [name, mode])).toEqual([
      ['Live', 'live'],
      ['Test', 'test'],
      ['Another', 'live'],
    ]);
    const renamed = await owner.call('PATCH', `/projects/${projectId}`, { body: { name: 'Main', mode: 'test', organization_id: newId() } });
    expect(renamed.json).toMatchObject({ name: 'Main', mode: 'live', organization_id: organizationId });
    expect((await owner.call('GET', `/projects/${projectId}`)).json).toEqual(renamed.json);
  });

  it('a key is shown once, is limited to its scopes, and is refused within a second of its revocation', async () => {
    const { key, value } = await issue(['report:read']);
    expect(value).toMatch(/^svc_live_/);
    expect(key).toMatchObject({ name: 'server', scopes: ['report:read'], last_used_at: null, revoked_at: null });
    const listed = JSON.stringify(await keys());
    expect(listed).toContain(key.key_id);
    expect(listed).not.toContain(value);
    expect([await statusWith(value), await statusWith(value, 'DELETE')]).toEqual([503, 403]);
    const revoke = () => owner.call('DELETE', `/projects/${projectId}/keys/${key.key_id}`);
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204]);
    await eventually(async () => (await statusWith(value)) === 401);
    expect((await keys()).find(({ key_id }) => key_id === key.key_id)?.revoked_at).toEqual(expect.any(String));
  });

  it.each([
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['report:all'] }, 'scopes[0]'],
    [{ name: '', scopes: ['report:*'] }, 'name'],
  ])('creating a key with %j is refused', async (body, param) => {
    expect((await owner.call('POST', `/projects/${projectId}/keys`, { body })).error).toMatchObject({ code: 'validation_error', param });
  });

  it('another organization gets 404 for projects, keys and the partner, also through a project of its own', async () => {
    const { key, value } = await issue(['report:*'], 'kept');
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['GET', '/keys'],
      ['POST', '/keys', { name: 'x', scopes: ['report:*'] }],
      ['DELETE', `/keys/${key.key_id}`],
      ['GET', '/partner'],
      ['PATCH', '/partner', { name: 'Mine', phone: null }],
      ['POST', '/partner/logo', { image: 'AA==' }],
      ['DELETE', '/partner/logo'],
      ['PATCH', '/time-zone', { time_zone: 'UTC' }],
      ['PATCH', '/kakao-key', { kakao_key: 'a'.repeat(32) }],
      ['GET', '/branches'],
      ['POST', '/branches', { name: 'Mine' }],
      ['PATCH', `/branches/${newId()}`, { name: 'Mine' }],
      ['POST', `/branches/${newId()}/logo`, { image: 'AA==' }],
      ['DELETE', `/branches/${newId()}/logo`],
      ['GET', '/vehicles'],
      ['GET', `/vehicles/${newId()}`],
      ['POST', `/vehicles/${newId()}/changes/${newId()}/undo`],
    ] as const)
      expect((await stranger.call(method, `/projects/${projectId}${path}`, { body })).error?.code).toBe('not_found');
    const { memberships } = await stranger.refresh();
    const own = await stranger.call('POST', `/organizations/${memberships[0]?.organization_id}/projects`, {
      body: { name: 'Own', mode: 'live' },
    });
    const ownProject = Project.parse(own.json).project_id;
    expect((await stranger.call('DELETE', `/projects/${ownProject}/keys/${key.key_id}`)).error?.code).toBe('not_found');
    expect(await statusWith(value)).toBe(503);
  });

  it('a time zone can be chosen while share is away, and share gets it later', async () => {
    const changed = await owner.call('PATCH', `/projects/${projectId}/time-zone`, { body: { time_zone: 'Europe/Berlin' } });
    expect([changed.status, Project.parse(changed.json).time_zone]).toEqual([200, 'Europe/Berlin']);
    const waiting = () => gateway.database.asSystem((tx) => findZonesToNote(tx, '00000000-0000-0000-0000-000000000000', 10));
    expect(await waiting()).toEqual([{ projectId, timeZone: 'Europe/Berlin', version: 1 }]);
    await owner.call('PATCH', `/projects/${projectId}/time-zone`, { body: { time_zone: 'Europe/Berlin' } });
    await owner.call('PATCH', `/projects/${projectId}/time-zone`, { body: { time_zone: 'UTC' } });
    expect(await waiting()).toEqual([{ projectId, timeZone: 'UTC', version: 2 }]);
    // A late answer to the first version leaves the second one to be noted.
    await gateway.database.asSystem((tx) => zoneNoted(tx, { projectId, timeZone: 'Europe/Berlin', version: 1 }));
    expect(await waiting()).toHaveLength(1);
    await gateway.database.asSystem((tx) => zoneNoted(tx, { projectId, timeZone: 'UTC', version: 2 }));
    expect(await waiting()).toEqual([]);
  });

  it('has a key of Kakao, which those who manage projects change, and everybody of the organization sees', async () => {
    const support = new Browser(gateway.origin, '192.0.2.9');
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
    const path = `/projects/${projectId}/kakao-key`;
    const shown = async () => Project.parse((await support.call('GET', `/projects/${projectId}`)).json).kakao_key;
    expect(await shown()).toBeNull();
    const key = '0123456789abcdef'.repeat(2);
    expect(Project.parse((await owner.call('PATCH', path, { body: { kakao_key: key } })).json).kakao_key).toBe(key);
    for (const kakao_key of ['', 'x'.repeat(32), `${key}0`, key.slice(1), `${key}"`])
      expect((await owner.call('PATCH', path, { body: { kakao_key } })).error?.param).toBe('kakao_key');
    expect((await support.call('PATCH', path, { body: { kakao_key: null } })).status).toBe(403);
    expect(await shown()).toBe(key);
    await owner.call('PATCH', path, { body: { kakao_key: null } });
    expect(await shown()).toBeNull();
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`)).json);
    expect(entries.filter(({ action }) => action === 'project.kakao_key_changed').map(({ details }) => details)).toEqual([
      { from: key, to: '' },
      { from: '', to: key },
    ]);
  });

  it('support cannot see keys; a developer can see but not create them', async () => {
    const [developer, support] = [new Browser(gateway.origin, '192.0.2.3'), new Browser(gateway.origin, '192.0.2.4')];
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
    const path = `/projects/${projectId}/keys`;
    const body = { name: 'x', scopes: ['report:*'] };
    expect([(await support.call('GET', path)).status, (await developer.call('GET', path)).status]).toEqual([403, 200]);
    for (const one of [support, developer]) expect((await one.call('POST', path, { body })).status).toBe(403);
    expect((await support.call('GET', `/projects/${projectId}`)).status).toBe(200);
  });

  it('two revocations of a key at the same time are one entry of the audit log', async () => {
    const { key } = await issue(['report:*'], 'twice');
    const revoke = () => owner.call('DELETE', `/projects/${projectId}/keys/${key.key_id}`);
    expect((await Promise.all([revoke(), revoke(), revoke()])).map(({ status }) => status)).toEqual([204, 204, 204]);
    const { json } = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`);
    const revocations = AuditLog.parse(json).entries.filter(({ action, subject }) => action === 'key.revoked' && subject === key.key_id);
    expect(revocations).toHaveLength(1);
  });

  it('the audit log records the actions, without the keys', async () => {
    const { value } = await issue(['report:*'], 'logged');
    const { text, json } = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`);
    const { entries } = AuditLog.parse(json);
    expect(entries[0]).toMatchObject({ action: 'key.issued', project_id: projectId, details: { name: 'logged', scopes: 'report:*' } });
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['project.created', 'project.renamed', 'key.revoked']));
    expect(text).not.toContain(value);
    const ofProject = async (by: Browser, id: string) => {
      const answer = await by.call('GET', `/organizations/${organizationId}/audit-log?limit=100&project_id=${id}`);
      return AuditLog.parse(answer.json).entries;
    };
    expect(await ofProject(owner, projectId)).toEqual(entries.filter(({ project_id }) => project_id === projectId));
    const foreign = await owner.call('GET', `/organizations/${organizationId}/audit-log?project_id=${newId()}`);
    expect([foreign.status, foreign.error?.code]).toEqual([404, 'not_found']);
  });
});
