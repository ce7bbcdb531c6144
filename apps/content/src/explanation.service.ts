import { Inject, Injectable } from '@nestjs/common';
import type { contentApi, ledgerApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { createHash } from 'node:crypto';
import { LEDGER, PUBLIC_API_URL } from './content.service';
import { ContentStore } from './content.store';
import { canonicalJson } from './domain/canonical-json';
import { explain, type Explained } from './domain/explanation';
import { generateContent } from './domain/generate';
import { readSnapshot } from './snapshot';

@Injectable()
export class ExplanationService {
  constructor(
    private readonly store: ContentStore,
    @Inject(LEDGER) private readonly ledger: Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'getAnalysisRevision'>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {}

  async explain({ projectId, reportId, contentRevision }: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
    const known = [projectId, contentRevision].every((id) => id === '' || isUuid(id)) && isUuid(reportId);
    const issued = known ? await this.store.findIssued(projectId, reportId, contentRevision) : undefined;
    if (!issued) throw new DomainError('not_found');
    const { snapshotJson } = await this.ledger.getAnalysisRevision({ ...issued, reportId });
    const snapshot = readSnapshot(snapshotJson);
    const again = canonicalJson(generateContent(snapshot, issued.contentRevision, this.publicApiUrl).content);
    return {
      contentRevision: issued.contentRevision,
      analysisRevision: issued.analysisRevision,
      rulesetVersion: snapshot.generator.ruleset_version,
      reproduced: createHash('sha256').update(again).digest().equals(issued.sha256),
      verdicts: explain(snapshot).map(onTheWire),
    };
  }
}

const onTheWire = ({ subject, verdict, rule, inputs, thresholds }: Explained): contentApi.ExplainedVerdict => ({
  subject,
  verdict,
  rule,
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ),
  thresholds,
});
