import type { CreateReportResponse, Report } from '@tire/contracts/api';
import { sandboxBytes, SANDBOX_SCENARIOS, type SandboxScenario, type ScenarioEnd } from '@tire/contracts/sandbox';
import { MODULE_TYPE, parseSlotId, sandboxAddress, sandboxPhotograph, SANDBOX_NAMES, type SandboxName, type SlotId } from '@tire/kernel';
import { createHash, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Api } from '../api/api';
import { openReceiver } from '../publication/callback-receiver';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';
import { freshTargets, put, registration, reportThat, targetOf } from './reports';

const api = apiOf('test');
type Photographs = Partial<Record<SlotId, SandboxName>>;

const entriesOf = (photographs: Photographs) =>
  (Object.entries(photographs) as [SlotId, SandboxName][]).map(([id, name]) => ({
    name,
    listed: { module_type: MODULE_TYPE, slot: parseSlotId(id) } as const,
  }));

const bytesOf = async (name: SandboxName): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await sandboxBytes(name));

async function upload(caller: Api, report: string, photographs: Photographs, query?: string): Promise<void> {
  const entries = entriesOf(photographs);
  const targets = await freshTargets(
    caller,
    report,
    entries.map(({ listed }) => listed),
  );
  const uploads = entries.map(async ({ name, listed }) => {
    const target = targetOf(targets, listed);
    expect(await put(target, await bytesOf(name))).toBe(200);
    return registration(target);
  });
  void (await caller.call('registerImages', { report, query, body: { images: await Promise.all(uploads) } })).done;
}

type Mode = 'by address' | 'by upload';

async function created(
  caller: Api,
  mode: Mode,
  template: string,
  photographs: Photographs,
  more: object = {},
): Promise<CreateReportResponse> {
  const images = entriesOf(photographs).map(({ name, listed }) => ({ ...listed, source: { url: sandboxAddress(name) } }));
  const { done } = await caller.create({ template, ...more, ...(mode === 'by address' ? { images } : {}) });
  if (mode === 'by upload') await upload(caller, done.report_id, photographs);
  return done;
}

/** As a partner reads it: the analysis has ended, and what follows from it is there. */
const ended = (report: string, end: ScenarioEnd): Promise<Report> =>
  reportThat(
    api,
    report,
    ({ analysis_status, summary_status, publication_status }) =>
      analysis_status === end.analysisStatus &&
      summary_status === end.summaryStatus &&
      (publication_status === 'published') === (end.severity !== null),
    60_000,
  );

async function expectEnd(report: string, end: ScenarioEnd, photographs: Photographs): Promise<void> {
  const { slots, warnings } = await ended(report, end);
  const failed = slots.filter(({ status }) => status === 'failed').map(({ slot_id, analysis }) => [slot_id, analysis.error?.code]);
  expect(Object.fromEntries(failed)).toEqual(end.failed ?? {});
  expect(warnings?.map(({ code }) => code)).toEqual(end.warnings ?? []);
  for (const { slot_id, analysis } of slots) {
    const expected = photographs[slot_id as SlotId];
    if (expected) expect([slot_id, analysis.sandbox]).toEqual([slot_id, expected]);
  }
  const content = await api.call('getContent', { report });
  expect(content.status).toBe(200);
  const { status, error, overall } = content.done;
  if (end.severity === null) expect([status, error?.code]).toEqual(['failed', 'content_source_incomplete']);
  else expect([status, overall?.severity]).toEqual(['ready', end.severity]);
}

async function act(report: string, { then, photographs }: SandboxScenario): Promise<void> {
  if (!then) return;
  if (then.action === 'analyze') {
    void (await api.call('analyzeSlots', { report, body: {} })).done;
    return expectEnd(report, then.end, photographs);
  }
  await upload(api, report, then.action.replace, 'replace=true');
  await expectEnd(report, then.end, { ...photographs, ...then.action.replace });
}

beforeAll(systemReady);

async function run(mode: Mode, scenario: SandboxScenario): Promise<void> {
  const { template, photographs, end, afterMs } = scenario;
  const beganMs = Date.now();
  const { report_id: report } = await created(api, mode, template, photographs);
  await expectEnd(report, end, photographs);
  if (afterMs) expect(Date.now() - beganMs).toBeGreaterThan(afterMs);
  await act(report, scenario);
}

const withCallback = SANDBOX_SCENARIOS.filter(({ callbackAttempts }) => callbackAttempts);
const late = SANDBOX_SCENARIOS.filter(({ afterMs }) => afterMs);
const usual = SANDBOX_SCENARIOS.filter((scenario) => !withCallback.includes(scenario) && !late.includes(scenario));
const named = (scenarios: readonly SandboxScenario[]) => scenarios.map((scenario) => [scenario.id, scenario] as const);

describe.each<Mode>(['by address', 'by upload'])('well-known photographs %s', (mode) => {
  const begun = new Map<SandboxScenario, Promise<void>>();

  /** They wait while the others run. */
  beforeAll(() => {
    for (const scenario of late) {
      const running = run(mode, scenario);
      running.catch(() => undefined);
      begun.set(scenario, running);
    }
  });

  it.each(named(usual))('%s', (_, scenario) => run(mode, scenario));
  it.each(named(late))('%s', (_, scenario) => begun.get(scenario));

  it('a callback fails twice on purpose, and arrives signed with its third attempt', async () => {
    const [{ template, photographs, end, callbackAttempts }] = withCallback as [SandboxScenario];
    const receiver = await openReceiver();
    try {
      const path = `/${randomUUID()}`;
      const { report_id: report } = await created(api, mode, template, photographs, { callback_url: receiver.origin + path });
      await expectEnd(report, end, photographs);
      const [call, ...others] = await receiver.callsTo(path);
      expect(others).toEqual([]);
      const secret = stackUnderTest().webhook_secret;
      const event = new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>);
      expect(event).toMatchObject({ type: 'report.completed', data: { report_id: report } });
      expect(callbackAttempts).toBe(3);
    } finally {
      await receiver.close();
    }
  });
});

describe('the guide', () => {
  const origin = new URL(stackUnderTest().base_url).origin;

  it('names files that can be downloaded', async () => {
    const list = await fetch(`${origin}/docs/sandbox/manifest.json`);
    const { photographs } = (await list.json()) as { photographs: { name: string; file: string; sha256: string }[] };
    expect(photographs.map(({ name }) => name)).toEqual(SANDBOX_NAMES);
    for (const { file, sha256 } of photographs) {
      const response = await fetch(`${origin}/docs/sandbox/${file}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
  });

  it.each(['unknown.jpg', 'tread-bald', 'measurements.json', '..%2Fmeasurements.json'])('has no file %s', async (file) => {
    expect((await fetch(`${origin}/docs/sandbox/${file}`)).status).toBe(404);
  });
});

describe('live keys', () => {
  const live = apiOf('live');
  const slot: SlotId = 'tire.tread.front_left';
  const slotThat = async (report: string, status: string) =>
    (
      await reportThat(live, report, ({ slots }) => slots.some(({ slot_id, ...each }) => slot_id === slot && each.status === status))
    ).slots.find(({ slot_id }) => slot_id === slot)!;

  it('measure a well-known photograph as any other', async () => {
    const name = 'error-image-too-small';
    const { report_id: report } = await created(live, 'by upload', 'tire_4t_0s', { [slot]: name });
    const { analysis } = await slotThat(report, 'success');
    expect([sandboxPhotograph(name).errorCode, analysis.provenance]).toEqual(['image_too_small', 'engine']);
    expect(analysis).not.toHaveProperty('sandbox');
  });

  it('resolve a well-known address as any other, and find nothing there', async () => {
    const { report_id: report } = await created(live, 'by address', 'tire_4t_0s', { [slot]: 'tread-front-left' });
    const { analysis } = await slotThat(report, 'failed');
    expect(['image_unreachable', 'image_fetch_timeout']).toContain(analysis.error?.code);
    expect(analysis).not.toHaveProperty('sandbox');
  });
});
