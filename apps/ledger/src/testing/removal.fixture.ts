import { DiscardResponse } from '@tire/contracts/api';
import { creationRequest, type World } from './world';

export interface Named {
  readonly projectId: string;
  readonly reportId: string;
}

export const named = ({ projectId, reportId }: Named): Named => ({ projectId, reportId });

/** What the tests of removal do with the reports of a world. */
export function removalOf(world: () => World) {
  async function measured(over: Parameters<typeof creationRequest>[0] = {}) {
    const request = creationRequest({
      templateKey: 'tire_4t_0s',
      images: creationRequest().images.slice(0, 1),
      plateNumber: '12가 3456',
      ...over,
    });
    const { projectId } = request;
    const { reportId } = await world().create(request);
    await world().publishFetched(projectId, reportId, request.images[0]!.slotId);
    const [work] = await world().received.analyzeTread.of(reportId, 1);
    await world().publishFinished(work!, { $case: 'errorCode', value: 'tread_not_found' });
    await world().received.analysisEnded.of(reportId, 1);
    return { projectId, reportId, request, work: work! };
  }

  const discard = async ({ projectId, reportId }: Named) =>
    DiscardResponse.parse(JSON.parse((await world().ledger.discardReport({ projectId, reportId })).responseJson.toString()));

  const stored = async (reportId: string) => {
    const count = async (table: string) =>
      Number((await world().asOwner(`SELECT count(*) AS value FROM ${table} WHERE report_id = '${reportId}'`))[0]!['value']);
    return {
      reports: await count('reports'),
      slots: await count('slots'),
      analyses: await count('analyses'),
      analysis_revisions: await count('analysis_revisions'),
      analysis_revision_slots: await count('analysis_revision_slots'),
      report_history: await count('report_history'),
      idempotency_records: await count('idempotency_records'),
    };
  };

  const readCode = async ({ projectId, reportId }: Named) =>
    (await world().ledger.getReports({ keys: [{ projectId, reportId }], acceptsPart: true })).answers[0]!.errorCode;

  return { measured, discard, stored, readCode };
}
