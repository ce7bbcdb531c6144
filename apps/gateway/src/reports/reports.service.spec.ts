import type { CreateReportRequest } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, newId, projectRules } from '@tire/kernel';
import { requestContext, type PromiseClient } from '@tire/platform';
import { ReportsService } from './reports.service';

const OF_INSPECTION_MAX = 8;

/** A ledger that holds each creation until the test releases it. */
function heldLedger() {
  const held: (() => void)[] = [];
  const createReport = () =>
    new Promise<ledgerApi.CreateReportResponse>((resolve) =>
      held.push(() => resolve({ httpStatus: 201, responseJson: Buffer.from('{}') })),
    );
  return { held, ledger: { createReport } as unknown as PromiseClient<ledgerApi.LedgerServiceClient> };
}

/** A creation is sent after the rules of its project were read, which the test answers at once. */
const rulesAreRead = () => new Promise(setImmediate);

const codeOf = (error: unknown) => error instanceof DomainError && error.code;

describe('creations of one inspection at once', () => {
  const { held, ledger } = heldLedger();
  const reports = new ReportsService(
    ledger,
    { ofCreation: () => Promise.resolve({}) },
    { of: () => Promise.resolve(projectRules([], [])) },
  );
  const create = (request: CreateReportRequest, projectId = 'ours') => reports.create({ projectId, mode: 'test' }, undefined, request);
  const inspection = { external_inspection_id: 'inspection' };

  it('are sent to the ledger up to a limit; further ones are refused at once, and those of others are sent', async () => {
    const first = Array.from({ length: OF_INSPECTION_MAX }, () => create(inspection));
    const further = Array.from({ length: 292 }, () => create(inspection).catch(codeOf));
    await rulesAreRead();
    expect(held).toHaveLength(OF_INSPECTION_MAX);
    expect(await Promise.all(further)).toEqual(further.map(() => 'idempotency_in_progress'));

    const others = [
      create({ external_inspection_id: 'another' }),
      create(inspection, 'theirs'),
      ...Array.from({ length: 20 }, () => create({})),
    ];
    await rulesAreRead();
    expect(held).toHaveLength(OF_INSPECTION_MAX + others.length);
    for (const answer of held.splice(0)) answer();
    await Promise.all([...first, ...others]);

    const later = create(inspection);
    await rulesAreRead();
    expect(held).toHaveLength(1);
    held[0]!();
    await later;
  });
});

it('a creation is about the report that it made', async () => {
  const reportId = newId();
  const createReport = async () => ({ httpStatus: 201, responseJson: Buffer.from(JSON.stringify({ report_id: reportId })) });
  const ledger = { createReport } as unknown as PromiseClient<ledgerApi.LedgerServiceClient>;
  const reports = new ReportsService(
    ledger,
    { ofCreation: () => Promise.resolve({}) },
    { of: () => Promise.resolve(projectRules([], [])) },
  );
  const context = { requestId: 'request' };
  await requestContext.run(context, () => reports.create({ projectId: 'ours', mode: 'test' }, undefined, {}));
  expect(context).toEqual({ requestId: 'request', reportId });
});
