import { Inject, Injectable } from '@nestjs/common';
import type { contentApi, ledgerApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient, PUBLIC_API_URL, type Tx } from '@tire/platform';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/document/canonical-json';
import { generateContent } from '../domain/document/generate';
import { explain, type Explained } from '../domain/verdicts/explanation';
import { findIssued } from '../revisions/outcome.store';
import { readSnapshot } from '../revisions/snapshot';

@Injectable()
export class ExplanationService {
  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'getAnalysisRevision'>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {}

  /** Without a project the report is looked up in all projects: support has no key of a project. */
  async explain({ projectId, reportId, contentRevision }: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
    const areIds = [projectId, contentRevision].every((id) => id === '' || isUuid(id)) && isUuid(reportId);
    if (!areIds) throw new DomainError('not_found');
    const find = (tx: Tx) => findIssued(tx, reportId, contentRevision || null);
    const issued = await (projectId === '' ? this.database.asSystem(find) : this.database.withProject(projectId, find));
    if (!issued) throw new DomainError('not_found');
    const { snapshotJson } = await this.ledger.getAnalysisRevision({ ...issued, reportId });
    const snapshot = readSnapshot(snapshotJson);
    const regenerated = canonicalJson(generateContent(snapshot, issued.contentRevision, this.publicApiUrl).content);
    return {
      contentRevision: issued.contentRevision,
      analysisRevision: issued.analysisRevision,
      rulesetVersion: snapshot.generator.ruleset_version,
      reproduced: createHash('sha256').update(regenerated).digest().equals(issued.sha256),
      verdicts: explain(snapshot).map(toProto),
    };
  }
}

const toProto = ({ subject, verdict, rule, inputs, thresholds }: Explained): contentApi.ExplainedVerdict => ({
  subject,
  verdict,
  rule,
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ),
  thresholds,
});
