import type { Content } from '@tire/contracts/api';

/** The facts of the ledger about content that does not exist, or not yet. */
export interface ContentFacts {
  readonly reportId: string;
  readonly status: 'pending' | 'failed';
  readonly errorCode: string | null;
  readonly analysisRevision: string | null;
  readonly contentProfile: Content['content_profile'];
  readonly generator: Content['generator'];
  readonly plateNumber: string | null;
  readonly templateKey: Content['report_context']['template_key'];
  readonly createdAt: string;
}

/** report-content.v1 without content: what was fixed at creation, and the reason why there is no content. */
export function contentFrame(facts: ContentFacts, publicApiUrl: string): Content {
  const report = `${publicApiUrl}/reports/${facts.reportId}`;
  return {
    schema_version: 'report-content.v1',
    report_id: facts.reportId,
    status: facts.status,
    content_revision: null,
    content_profile: facts.contentProfile,
    generator: facts.generator,
    source: { report_schema_version: 'report.v1', analysis_revision: facts.analysisRevision },
    generated_at: null,
    report_context: { plate_number: facts.plateNumber, inspected_at: facts.createdAt, template_key: facts.templateKey },
    overall: null,
    tires: [],
    sections: [],
    render_data: { tread_overlays: [], sidewall_specs: [] },
    // A retry fails again until the slots are repaired.
    error: facts.status === 'failed' ? { code: facts.errorCode ?? 'content_source_incomplete', retryable: false } : null,
    links: { self: `${report}/content`, canonical: null, report },
  };
}
