import { timeoutMs, UsageError } from './config.ts';
import type { Context } from './context.ts';
import { table } from './lines.ts';
import { bySlot } from './photographs.ts';
import { POSITIONS, slotId, type Position, type ReportNotificationType } from '../types.ts';

/** Well-known addresses with known results. Nothing is fetched from them in a test project. */
const SANDBOX = 'https://sandbox.tire-inspection.example';
const GOOD = POSITIONS.map((position) => `tread-${position.replace('_', '-')}`);
const FAILING = 'error-tread-not-found';

/** Somebody with a phone makes the other one happen. */
type TriggeredEvent = Exclude<ReportNotificationType, 'capture.finished'>;

/** The photographs of the four treads of each event, by their names in the sandbox. */
const PHOTOGRAPHS: Record<TriggeredEvent, readonly string[]> = {
  'report.completed': GOOD,
  'report.partial': [FAILING, ...GOOD.slice(1)],
  'report.failed': [FAILING],
  'content.ready': GOOD,
  'share.revoked': GOOD,
};

export const EVENTS = Object.keys(PHOTOGRAPHS) as TriggeredEvent[];

const isEvent = (text: string | undefined): text is TriggeredEvent => EVENTS.some((event) => event === text);

const slotAt = (position: Position) => ({ position, image_type: 'tread' as const });

/** A report of well-known addresses, of which photographs of the caller replace those of the same slots. */
async function create({ client }: Context, event: TriggeredEvent, files: readonly string[]): Promise<string> {
  const given = files.length > 0 ? bySlot(files) : {};
  const images = PHOTOGRAPHS[event].flatMap((name, index) => {
    const slot = slotAt(POSITIONS[index]!);
    return given[slotId(slot)] ? [] : [{ module_type: 'tire' as const, slot, source: { url: `${SANDBOX}/${name}.jpg` } }];
  });
  const { report_id } = await client.reports.create({ template: 'tire_4t_0s', ...(images.length > 0 && { images }) });
  const uploaded = PHOTOGRAPHS[event].flatMap((_, index) => {
    const id = slotId(slotAt(POSITIONS[index]!));
    return given[id] ? [[id, given[id]] as const] : [];
  });
  if (uploaded.length > 0) await client.reports.replaceFiles(report_id, Object.fromEntries(uploaded));
  return report_id;
}

/** Makes an event happen in a test project, waits for what it follows from, and prints the ids. */
export async function trigger(context: Context, event: string | undefined, files: readonly string[]): Promise<number> {
  const { client, apiKey, options, print } = context;
  if (!isEvent(event)) throw new UsageError(`tire trigger needs an event: ${EVENTS.join(', ')}.`);
  if (!apiKey.startsWith('svc_test_'))
    throw new UsageError('tire trigger makes reports, so it needs the key of a test project, svc_test_….');
  // The address that fails would end the report as failed before the photographs are uploaded.
  if (files.length > 0 && PHOTOGRAPHS[event].includes(FAILING))
    throw new UsageError(`${event} needs a photograph that fails before yours are uploaded: trigger it without --files.`);
  const report_id = await create(context, event, files);
  const isPublished = PHOTOGRAPHS[event] === GOOD;
  const report = await client.reports.waitFor(report_id, {
    until: isPublished ? 'published' : 'finished',
    timeoutMs: timeoutMs(options),
  });
  if (event === 'share.revoked') await client.reports.revokeShare(report_id);
  const { analysis_status, analysis_revision, links } = report;
  const ids = { event, report_id, analysis_status, analysis_revision, content: isPublished ? links.content : null };
  if (options.json) print(`${JSON.stringify(ids)}\n`);
  else print(table(Object.entries(ids).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]))));
  const expected = { 'report.partial': 'partial', 'report.failed': 'failed' }[event as string] ?? 'complete';
  return analysis_status === expected ? 0 : 2;
}
