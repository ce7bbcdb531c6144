import { Content } from '@tire/contracts/api';
import { contentFrame, type ContentFacts } from './content-frame';

const facts: ContentFacts = {
  reportId: '0193f3a0-0000-7000-8000-000000000001',
  status: 'pending',
  errorCode: null,
  analysisRevision: null,
  contentProfile: { key: 'tire-standard', version: '1.0', locale: 'ko-KR' },
  generator: { ruleset_version: '1.1', copy_version: '1.0', projection_version: '1.0' },
  plateNumber: null,
  templateKey: 'tire_4t_2s',
  createdAt: '2026-11-21T04:05:06.789Z',
};

describe('missing content', () => {
  it('is valid and has no error while pending', () => {
    const content = contentFrame(facts, 'https://tires.example/api/v1');
    expect(Content.parse(content)).toEqual(content);
    expect(content).toMatchObject({ status: 'pending', error: null, source: { analysis_revision: null } });
    expect(content.links).toEqual({
      self: `https://tires.example/api/v1/reports/${facts.reportId}/content`,
      canonical: null,
      report: `https://tires.example/api/v1/reports/${facts.reportId}`,
    });
  });

  it('is valid and has an error when failed', () => {
    const analysisRevision = '0193f3a0-0000-7000-8000-000000000002';
    const content = contentFrame(
      { ...facts, status: 'failed', errorCode: 'content_source_incomplete', analysisRevision },
      'https://t.example',
    );
    expect(Content.parse(content)).toEqual(content);
    expect(content.error).toEqual({ code: 'content_source_incomplete', retryable: false });
    expect(content.source.analysis_revision).toBe(analysisRevision);
  });
});
