import { readArguments, settingsFrom, timeoutMs, UsageError, type Environment, type Options } from './config.ts';
import { resultLine, table } from './lines.ts';
import { bySlot, inFours } from './photographs.ts';
import { TireInspection } from '../client.ts';
import { ReportOutcomeError } from '../errors.ts';
import { slotId, type CreateReportRequest, type Report, type SlotId, type TemplateKey } from '../types.ts';

export const HELP = `tire measure PHOTOGRAPH... [--sidewall] [--json]
    measures photographs of treads (or sidewalls), four in a report; their position does not matter

tire report create --files PHOTOGRAPH... [--template tire_4t_2s] [--plate TEXT] [--inspection ID] [--vehicle ID]
                   [--callback-url URL] [--locale ko-KR] [--no-wait] [--json]
    a report of one car; a name such as tread-front_left.jpg tells the slot

TIRE_API_KEY is the API key, TIRE_BASE_URL (or --base-url) the address of the API with /api/v1.
--timeout SECONDS limits how long a result is waited for (300).
`;

interface Context {
  readonly client: TireInspection;
  readonly options: Options;
  readonly print: (text: string) => void;
}

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

/** Runs a command and returns the code of its end: 0, 2 if something could not be measured. */
export async function runCommand(args: readonly string[], environment: Environment, print: (text: string) => void): Promise<number> {
  const { words, options } = readArguments(args);
  if (options.help || words.length === 0) {
    print(HELP);
    return 0;
  }
  const [first, second] = words;
  const context = () => ({ client: new TireInspection(settingsFrom(environment, options['base-url'])), options, print });
  if (first === 'measure') return measure(context(), words.slice(1));
  if (first === 'report' && second === 'create') return createReport(context(), words.slice(2));
  throw new UsageError(`There is no command "${words.slice(0, 2).join(' ')}". tire --help lists them.`);
}
