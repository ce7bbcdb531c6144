import { type contentApi, GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { callSigner, createDataSource, Database, grpcClient, parseEnvironment } from '@tire/platform';
import { parseArgs } from 'node:util';
import { configSchema } from './config';
import { ExplanationService } from './explanations/explanation.service';

const USAGE = `usage: admin explain --report ID [--revision ID] [--project ID] [--json]

Prints every verdict of a content revision with its rule, inputs and thresholds. Without --revision it is the latest one.`;

async function explain(request: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
  const environment = configSchema.pick({ DATABASE_URL: true, LEDGER_GRPC_URL: true, PUBLIC_API_URL: true, SERVICE_PRIVATE_KEY: true });
  const config = parseEnvironment(environment);
  const options = { poolSize: 1, applicationName: 'content-admin' };
  const source = createDataSource({ url: config.DATABASE_URL, ...options });
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL, {
    signer: callSigner('content', config),
  });
  await source.initialize();
  try {
    return await new ExplanationService(new Database(source), ledger, config.PUBLIC_API_URL).explain(request);
  } finally {
    await source.destroy();
    ledger.onApplicationShutdown();
  }
}

const formatRecord = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const formatAnswer = (answer: contentApi.ExplainContentResponse): string =>
  [
    `content ${answer.contentRevision} of analysis ${answer.analysisRevision}, ruleset ${answer.rulesetVersion}`,
    answer.reproduced
      ? 'The rules reproduce the stored bytes.'
      : 'The rules do NOT reproduce the stored bytes: these verdicts may differ from the issued ones.',
    ...answer.verdicts.map(({ subject, verdict, rule, inputs, thresholds }) =>
      [
        `${subject}: ${verdict}`,
        `  because  ${rule}`,
        `  inputs   ${formatRecord(inputs)}`,
        `  limits   ${formatRecord(thresholds) || 'none'}`,
      ].join('\n'),
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
  const answer = await explain({ projectId: project, reportId: report, contentRevision: revision });
  process.stdout.write(`${json ? JSON.stringify(answer) : formatAnswer(answer)}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
