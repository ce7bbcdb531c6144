import { newId } from '@tire/kernel';
import { createHash } from 'node:crypto';
import { Inspection } from '../cleaning/inspection';
import { startImageHost, startWorld } from '../testing/world';

describe('the exported files of a project', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
  });
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  const NAME = 'reports-daily-2026-11-27-0000abcd.csv';
  const upload = async (projectId: string, content: string, name = NAME) => {
    const { url } = await world.assets.signExportUpload({ projectId, name });
    // Without a type, as its caller sends it: a store on disk takes images only where there is one.
    return (await fetch(url, { method: 'PUT', body: new TextEncoder().encode(content) })).status;
  };
  const shown = async (projectId: string, name = NAME) => fetch((await world.assets.signExportRead({ projectId, name })).url);

  it('are written and read at signed addresses, below the prefix of the project, and replaced by a repetition', async () => {
    const projectId = newId();
    expect(await upload(projectId, 'first')).toBe(200);
    expect(await upload(projectId, 'second')).toBe(200);
    const answer = await shown(projectId);
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([200, 'second', 'application/octet-stream']);
    expect(await world.keys(`projects/${projectId}/`)).toEqual([`projects/${projectId}/exports/${NAME}`]);
    expect((await shown(newId())).status).toBe(404);
  });

  it('are removed; a repetition changes nothing', async () => {
    const projectId = newId();
    await upload(projectId, 'content');
    await world.assets.removeExport({ projectId, name: NAME });
    await world.assets.removeExport({ projectId, name: NAME });
    expect((await shown(projectId)).status).toBe(404);
  });

  it.each(['', '../x.csv', 'a/b.csv', '.csv', 'A.csv', `${'a'.repeat(101)}`])('have no such name: %j', async (name) => {
    const file = { projectId: newId(), name };
    await expect(world.assets.signExportUpload(file)).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.assets.signExportRead(file)).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.assets.removeExport(file)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are sent as the caller signed it, and what the bucket answered comes back', async () => {
    const projectId = newId();
    const content = 'a,b\r\n'.repeat(1_000);
    await upload(projectId, content);
    const headers = { 'x-amz-content-sha256': createHash('sha256').update(content).digest('hex') };
    const deliver = (path: string, origin = host.origin) =>
      world.assets.deliverExport({ projectId, name: NAME, url: `${origin}${path}`, headers });
    let seen: unknown;
    host.answers.set('/bucket/ok', (_, sent) => ((seen = sent['x-amz-content-sha256']), { status: 200 }));
    expect(await deliver('/bucket/ok')).toEqual({ status: 200, reason: '', answerCode: '' });
    expect(seen).toBe(headers['x-amz-content-sha256']);
    const denied = Buffer.from('<Error><Code>AccessDenied</Code><Message>someone@shop.example</Message></Error>');
    host.answers.set('/bucket/denied', () => ({ status: 403, body: denied }));
    expect(await deliver('/bucket/denied')).toEqual({ status: 403, reason: '', answerCode: 'AccessDenied' });
    host.answers.set('/bucket/elsewhere', () => ({ status: 307, headers: { location: `${host.origin}/bucket/ok` } }));
    expect(await deliver('/bucket/elsewhere')).toMatchObject({ status: 307 });
    for (const origin of ['https://10.0.0.1', 'https://169.254.169.254', 'https://[::1]', 'http://1.1.1.1'])
      expect(await deliver('/bucket/ok', origin)).toEqual({ status: 0, reason: 'forbidden', answerCode: '' });
    const other = { projectId: newId(), name: NAME, url: `${host.origin}/bucket/ok`, headers };
    await expect(world.assets.deliverExport(other)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are not foreign to the check of the store, and no cleaning removes them', async () => {
    const projectId = newId();
    await upload(projectId, 'content');
    const found = [];
    for await (const batch of world.app.get(Inspection, { strict: false }).batches(`projects/${projectId}/`, '')) found.push(batch);
    expect(found).toMatchObject([{ objects: 1, foreign: 0, inspected: [] }]);
  });
});
