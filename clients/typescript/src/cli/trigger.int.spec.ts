import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './commands.ts';
import { UsageError } from './config.ts';
import { EVENTS } from './trigger.ts';
import { JPEG, KEY, SmallService } from '../testing/small-service.ts';

const ID = '01978a34-5c00-7000-8000-000000000001';

describe('tire trigger', () => {
  let service: SmallService;
  let folder: string;
  let output: string;

  beforeEach(async () => {
    service = await SmallService.start();
    folder = mkdtempSync(join(tmpdir(), 'tire-trigger-'));
    output = '';
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  const run = (args: string[], key = KEY) =>
    runCommand(['trigger', ...args], { TIRE_API_KEY: key, TIRE_BASE_URL: service.baseUrl }, (text) => (output += text));
  const ended = (analysis_status: string, publication_status = 'unpublished') => {
    const links = { content: `https://api.example/reports/${ID}/content` };
    const body = { schema_version: 'report.v1', analysis_status, publication_status, analysis_revision: 'revision', links };
    service.answerReads = () => ({ status: 200, body });
  };
  const created = () => JSON.parse(service.sent(/^POST \/reports$/)[0]!.body.toString()) as { images?: { source: { url: string } }[] };
  const names = () => (created().images ?? []).map(({ source }) => source.url.replace('https://sandbox.tire-inspection.example/', ''));

  it.each([
    ['report.completed', 'complete', ['tread-front-left', 'tread-front-right', 'tread-rear-left', 'tread-rear-right']],
    ['content.ready', 'complete', ['tread-front-left', 'tread-front-right', 'tread-rear-left', 'tread-rear-right']],
    ['report.partial', 'partial', ['error-tread-not-found', 'tread-front-right', 'tread-rear-left', 'tread-rear-right']],
    ['report.failed', 'failed', ['error-tread-not-found']],
  ])('makes %s happen with well-known photographs, and prints the ids', async (event, status, photographs) => {
    service.replies.set('POST /reports', [{ status: 202, body: { report_id: ID, status: 'processing' } }]);
    ended(status, status === 'complete' ? 'published' : 'unpublished');
    expect(await run([event, '--json'])).toBe(0);
    expect(names()).toEqual(photographs.map((name) => `${name}.jpg`));
    expect(JSON.parse(output)).toMatchObject({ event, report_id: ID, analysis_status: status, analysis_revision: 'revision' });
  });

  it('revokes the link of a published report', async () => {
    service.replies.set('POST /reports', [{ status: 202, body: { report_id: ID, status: 'processing' } }]);
    service.replies.set(`DELETE /reports/${ID}/share`, [{ status: 200, body: { status: 'revoked' } }]);
    ended('complete', 'published');
    expect(await run(['share.revoked'])).toBe(0);
    expect(service.sent(/^DELETE/).map(({ path }) => path)).toEqual([`/reports/${ID}/share`]);
    expect(output).toMatch(new RegExp(`^report_id +${ID}$`, 'm'));
  });

  it.each([
    [['front_right'], ['tread-front-left.jpg', 'tread-rear-left.jpg', 'tread-rear-right.jpg']],
    [['front_left', 'front_right', 'rear_left', 'rear_right'], []],
  ])('takes photographs of the caller in their slots: %j', async (positions, others) => {
    ended('complete', 'published');
    const files = positions.map((position) => join(folder, `tread-${position}.jpg`));
    for (const file of files) writeFileSync(file, JPEG);
    expect(await run(['report.completed', '--files', ...files])).toBe(0);
    expect(names()).toEqual(others);
    const [report] = service.reports.values();
    expect([...report!.slots.keys()]).toEqual(positions.map((position) => `tire.tread.${position}`));
  });

  it('ends with 2 if something else happened', async () => {
    service.replies.set('POST /reports', [{ status: 202, body: { report_id: ID, status: 'processing' } }]);
    ended('failed');
    expect(await run(['report.partial'])).toBe(2);
  });

  it.each([
    ['no event', [], KEY],
    ['another event', ['report.deleted'], KEY],
    ['a live key', ['report.failed'], 'svc_live_0123'],
    ['photographs for report.partial', ['report.partial', '--files', 'tread-front_left.jpg'], KEY],
    ['photographs for report.failed', ['report.failed', '--files', 'tread-front_left.jpg'], KEY],
  ])('refuses %s', async (_, args, key) => {
    await expect(run(args, key)).rejects.toThrow(UsageError);
    expect(service.requests).toEqual([]);
  });

  it('knows every event', () => {
    expect(EVENTS).toEqual(['report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked']);
  });
});
