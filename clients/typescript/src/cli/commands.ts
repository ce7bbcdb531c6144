import { readArguments, settingsFrom, timeoutMs, UsageError, type Environment } from './config.ts';
import type { Context } from './context.ts';
import { resultLine, table } from './lines.ts';
import { listen } from './listen.ts';
import { tailLogs } from './logs.ts';
import { bySlot, inFours } from './photographs.ts';
import { EVENTS, trigger } from './trigger.ts';
import { TireInspection } from '../client.ts';
import { ReportOutcomeError } from '../errors.ts';
import { slotId, type CreateReportRequest, type Report, type SlotId, type TemplateKey } from '../types.ts';

export const HELP = `tire measure PHOTOGRAPH... [--sidewall] [--json]
    measures photographs of treads (or sidewalls), four in a report; their position does not matter

tire listen --forward URL [--events report.completed,...] [--json]
    sends the callbacks of a test project to a program on this machine, such as http://localhost:3000/hooks

tire trigger EVENT [--files PHOTOGRAPH...] [--json]
    makes EVENT happen in a test project: ${EVENTS.join(', ')}

tire logs tail [--json]
    prints what the keys of the project request, as it happens

tire report create --files PHOTOGRAPH... [--template tire_4t_2s] [--plate TEXT] [--inspection ID] [--vehicle ID]
                   [--callback-url URL] [--locale ko-KR] [--no-wait] [--json]
    a report of one car; a name such as tread-front_left.jpg tells the slot

TIRE_API_KEY is the API key, TIRE_BASE_URL (or --base-url) the address of the API with /api/v1.
--timeout SECONDS limits how long a result is waited for (300).
`;

/** Slots without an image stay pending for ever. */
const isMeasured = ({ slots }: Report): boolean => slots.every(({ asset, status }) => asset === null || status !== 'pending');

async function measure({ client, options, print }: Context, files: readonly string[]): Promise<number> {
  const template: TemplateKey = options.sidewall ? 'tire_4t_4s' : 'tire_4t_0s';
  const waitMs = timeoutMs(options);
  let failed = 0;
  for (const group of inFours(files, options.sidewall ? 'sidewall' : 'tread')) {
    const { report_id } = await client.reports.createFromFiles({ template, files: group });
    const { slots } = await client.reports.waitFor(report_id, { until: isMeasured, timeoutMs: waitMs });
    const measured = slots.flatMap(({ slot, analysis }) => {
      const file = group[slotId(slot)];
      return file === undefined ? [] : [{ file, analysis }];
    });
    failed += measured.filter(({ analysis }) => analysis.status === 'failed').length;
    if (options.json) for (const { file, analysis } of measured) print(`${JSON.stringify({ file, report_id, analysis })}\n`);
    else print(table(measured.map(({ file, analysis }) => [file, resultLine(analysis)])));
  }
  return failed > 0 ? 2 : 0;
}

type Locale = NonNullable<CreateReportRequest['content_profile']>['locale'];

async function finished({ client, options }: Context, id: string): Promise<Report> {
  try {
    return await client.reports.waitFor(id, { until: 'published', timeoutMs: timeoutMs(options) });
  } catch (error) {
    if (error instanceof ReportOutcomeError) return error.report;
    throw error;
  }
}

async function createReport(context: Context, photographs: readonly string[]): Promise<number> {
  const { client, options, print } = context;
  const created = await client.reports.createFromFiles({
    template: options.template as TemplateKey | undefined,
    plate_number: options.plate,
    external_inspection_id: options.inspection,
    external_vehicle_id: options.vehicle,
    callback_url: options['callback-url'],
    content_profile: options.locale === undefined ? undefined : { locale: options.locale as Locale },
    files: bySlot(photographs),
  });
  const head: [string, string][] = [
    ['report', created.report_id],
    ['page', created.share_url],
  ];
  if (options['no-wait']) {
    print(options.json ? `${JSON.stringify(created)}\n` : table(head));
    return 0;
  }
  if (!options.json) print(table(head));
  const report = await finished(context, created.report_id);
  if (options.json) print(`${JSON.stringify(report)}\n`);
  else {
    const results = report.slots
      .filter(({ asset }) => asset)
      .map(({ slot, analysis }): [SlotId, string] => [slotId(slot), resultLine(analysis)]);
    print(table([...results, ['analysis', report.analysis_status], ['publication', report.publication_status]]));
  }
  return report.analysis_status === 'complete' ? 0 : 2;
}

/** The command that the words name, and how many of them. */
function commandOf([first, second]: readonly string[]): [
  command: (context: Context, rest: readonly string[]) => Promise<number>,
  words: number,
] {
  if (first === 'measure') return [measure, 1];
  if (first === 'report' && second === 'create') return [createReport, 2];
  if (first === 'listen') return [listen, 1];
  if (first === 'trigger') return [(context, [event, ...files]) => trigger(context, event, files), 1];
  if (first === 'logs' && second === 'tail') return [tailLogs, 2];
  throw new UsageError(`There is no command "${[first, second].filter(Boolean).join(' ')}". tire --help lists them.`);
}

/** Runs a command and returns the code of its end: 0, 2 if something could not be measured. `ending` ends those that last. */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
  ending: () => AbortSignal = () => new AbortController().signal,
): Promise<number> {
  const { words, options } = readArguments(args);
  if (options.help || words.length === 0) {
    print(HELP);
    return 0;
  }
  const [command, count] = commandOf(words);
  const settings = settingsFrom(environment, options['base-url']);
  const context: Context = { client: new TireInspection(settings), apiKey: settings.apiKey, options, print, ending };
  return command(context, words.slice(count));
}
