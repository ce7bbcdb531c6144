import { type contentApi, GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { Database, grpcClient, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { configSchema } from './config';
import { ContentOutcome, ContentStore } from './content.store';
import { ExplanationService } from './explanation.service';

const USAGE = `usage: admin explain --report ID [--revision ID] [--project ID] [--json]

Every verdict of a content revision, the latest one if none is named, with the rule, inputs and thresholds that led to it.`;

async function explained(request: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
  const environment = configSchema.pick({ DATABASE_URL: true, LEDGER_GRPC_URL: true, PUBLIC_API_URL: true });
  const config = parseEnvironment(environment);
  const options = { poolSize: 1, applicationName: 'content-admin', entities: [ContentOutcome] };
  const source = new DataSource({ type: 'postgres', url: config.DATABASE_URL, ...options });
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL);
  await source.initialize();
  try {
    return await new ExplanationService(new ContentStore(new Database(source)), ledger, config.PUBLIC_API_URL).explain(request);
  } finally {
    await source.destroy();
    ledger.onApplicationShutdown();
  }
}

const listed = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const described = (answer: contentApi.ExplainContentResponse): string =>
  [
    `content ${answer.contentRevision} of analysis ${answer.analysisRevision}, ruleset ${answer.rulesetVersion}`,
    answer.reproduced
      ? 'The rules give the stored bytes again.'
      : 'The rules do NOT give the stored bytes again: these verdicts may differ from those that were issued.',
    ...answer.verdicts.map(({ subject, verdict, rule, inputs, thresholds }) =>
      [`${subject}: ${verdict}`, `  because  ${rule}`, `  inputs   ${listed(inputs)}`, `  limits   ${listed(thresholds) || 'none'}`].join(
        '\n',
      ),
    ),
  ].join('\n');

async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { report: { type: 'string' }, revision: { type: 'string' }, project: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { report, revision = '', project = '', json } = values;
  if (positionals.join() !== 'explain' || !report) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const answer = await explained({ projectId: project, reportId: report, contentRevision: revision });
  process.stdout.write(`${json ? JSON.stringify(answer) : described(answer)}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
