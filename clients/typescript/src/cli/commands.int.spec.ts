import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './commands.ts';
import { UsageError } from './config.ts';
import { ALL_SLOTS, JPEG, KEY, SmallService } from '../testing/small-service.ts';
import type { SlotId } from '../types.ts';

const depth = (depthMm: number) => ({
  status: 'success',
  result: { aggregated_depth: { aggregated_remaining_depth: depthMm, depth_interval_mm: [depthMm - 0.5, depthMm + 0.6] } },
});
const size = { status: 'success', result: { size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 } } };
const failed = {
  status: 'failed',
  result: null,
  error: { code: 'tread_not_found', retryable: false },
  retake: [{ code: 'blurred', hint: { ko: '다시', en: 'Hold the phone still.' } }],
};

describe('tire', () => {
  let service: SmallService;
  let folder: string;
  let output: string;

  beforeEach(async () => {
    service = await SmallService.start();
    folder = mkdtempSync(join(tmpdir(), 'tire-command-'));
    output = '';
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  const photographs = (names: readonly string[]): string[] =>
    names.map((name) => {
      writeFileSync(join(folder, name), JPEG);
      return join(folder, name);
    });
  const run = (...args: string[]) => runCommand(args, { TIRE_API_KEY: KEY, TIRE_BASE_URL: service.baseUrl }, (text) => (output += text));

  /** What the service answers about each report that is created later: the analyses of its slots with an image. */
  const measuring = (analyses: Partial<Record<SlotId, object>>, state: object = {}): void => {
    const slots = ALL_SLOTS.map((id) => {
      const [, image_type, position] = id.split('.');
      const analysis = analyses[id] ?? { status: 'pending' };
      return { slot: { image_type, position }, asset: analyses[id] ? {} : null, analysis, ...analysis };
    });
    service.answerReads = () => ({ status: 200, body: { slots, ...state } });
  };

  it('measures photographs, four in a report, and names each by its file', async () => {
    measuring({ 'tire.tread.front_left': depth(6.1), 'tire.tread.front_right': failed });
    const files = photographs(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg']);
    expect(await run('measure', ...files)).toBe(2);
    expect(service.reports.size).toBe(2);
    expect([...service.reports.values()].map(({ slots }) => slots.size)).toEqual([4, 1]);
    expect(output).toContain(`${files[0]}  6.1 mm (5.6 to 6.7)\n`);
    expect(output).toContain(`${files[1]}  tread_not_found; blurred: Hold the phone still.\n`);
    expect(output).toContain(`${files[4]}  6.1 mm (5.6 to 6.7)\n`);
  });

  it('measures sidewalls, as JSON', async () => {
    measuring({ 'tire.sidewall.front_left': size });
    const [file] = photographs(['a.jpg']);
    expect(await run('measure', '--sidewall', '--json', file!)).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ file, analysis: size });
  });

  it('creates a report of one car by the names of its photographs', async () => {
    const analyses = Object.fromEntries(ALL_SLOTS.map((id) => [id, id.includes('tread') ? depth(5) : size]));
    measuring(analyses, { analysis_status: 'complete', publication_status: 'published' });
    const names = ['tread-front_left.jpg', 'Tread Front Right.JPG', 'rear-left-tread.jpg', 'tire.tread.rear_right.jpg'];
    const files = photographs([...names, 'sidewall-front_left.jpg']);
    const options = ['--template', 'tire_4t_2s', '--plate', '12가 3456', '--inspection', 'visit-1', '--locale', 'en-US'];
    expect(await run('report', 'create', ...options, '--files', ...files)).toBe(0);
    const { slots } = [...service.reports.values()][0]!;
    expect([...slots.keys()].sort()).toEqual([...ALL_SLOTS.slice(0, 4), 'tire.sidewall.front_left'].sort());
    expect(JSON.parse(service.sent(/^POST \/reports$/)[0]!.body.toString())).toEqual({
      template: 'tire_4t_2s',
      plate_number: '12가 3456',
      external_inspection_id: 'visit-1',
      content_profile: { locale: 'en-US' },
    });
    expect(output).toMatch(/^page +https:\/\/share\.example\/r\/token$/m);
    expect(output).toMatch(/^tire\.tread\.front_left +5\.0 mm \(4\.5 to 5\.6\)$/m);
    expect(output).toMatch(/^tire\.sidewall\.rear_right +225\/45R17$/m);
    expect(output).toMatch(/^publication +published$/m);
  });

  it('ends with 2 if the report is not complete', async () => {
    measuring({ 'tire.tread.front_left': failed }, { analysis_status: 'partial', publication_status: 'unpublished' });
    expect(await run('report', 'create', '--files', ...photographs(['tread-front_left.jpg']))).toBe(2);
    expect(output).toMatch(/^analysis +partial$/m);
  });

  it('waits only if it is asked to', async () => {
    expect(await run('report', 'create', '--no-wait', '--json', ...photographs(['tread-front_left.jpg']))).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ share_url: 'https://share.example/r/token' });
    expect(service.sent(/^GET/)).toEqual([]);
  });

  it.each([
    ['a name without a slot', ['report', 'create', 'x.jpg'], 'does not tell the slot'],
    ['a slot twice', ['report', 'create', 'tread-rear_left.jpg', 'tread rear left.png'], 'the same slot'],
    ['no photographs', ['measure'], 'no photographs'],
    ['another command', ['report', 'delete'], 'no command "report delete"'],
    ['an unknown option', ['measure', '--keys'], "Unknown option '--keys'"],
    ['a time that is none', ['measure', 'x.jpg', '--timeout', 'soon'], 'number of seconds'],
  ])('refuses %s', async (_, args, message) => {
    const call = run(...args);
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(message);
    expect(service.requests).toEqual([]);
  });

  it('asks for the key and the address, and explains itself', async () => {
    const ask = (environment: Record<string, string>) => runCommand(['measure', 'x.jpg'], environment, () => undefined);
    await expect(ask({})).rejects.toThrow('TIRE_API_KEY');
    await expect(ask({ TIRE_API_KEY: KEY })).rejects.toThrow('TIRE_BASE_URL');
    expect(await run('--help')).toBe(0);
    expect(output).toContain('tire report create');
  });
});
