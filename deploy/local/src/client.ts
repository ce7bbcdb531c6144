import type { Content, CreateReportResponse, Report, UploadTarget } from '@tire/contracts/api';
import type { Sample } from './samples';
import type { StackFile } from './stack-file';

/** `fetch`, or a function that repeats what is refused for now. */
export type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** The deadline for a report that never ends. Eight images take minutes on a busy machine. */
const COMPLETION_DEADLINE_MS = 280_000;
const POLL_INTERVAL_MS = 200;

/** An HTTP client of the partner API, for the demo and the system tests. */
export class PartnerClient {
  constructor(
    private readonly stack: Pick<StackFile, 'base_url'>,
    private readonly apiKey: string,
    private readonly send: Send = fetch,
  ) {}

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(`${this.stack.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  async json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const response = await this.call(method, path, body, headers);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  create = (body: unknown, headers?: Record<string, string>) => this.json<CreateReportResponse>('POST', '/reports', body, headers);
  report = (id: string) => this.json<Report>('GET', `/reports/${id}`);
  content = (id: string) => this.json<Content>('GET', `/reports/${id}/content`);

  /** Polls as the specification requires until analysis and publication have ended. */
  async finished(id: string): Promise<Report> {
    const deadlineMs = Date.now() + COMPLETION_DEADLINE_MS;
    for (;;) {
      const report = await this.report(id);
      if (report.analysis_status === 'failed' || report.analysis_status === 'partial') return report;
      if (report.analysis_status === 'complete' && report.publication_status === 'published' && report.summary_status === 'complete')
        return report;
      if (Date.now() > deadlineMs) throw new Error(`Report ${id} is still ${report.analysis_status}, ${report.publication_status}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }
}

/** PUTs the image of a target's slot to its upload address, with the headers of the target. */
export async function upload(
  { slot, upload_url, required_headers }: UploadTarget,
  samples: readonly Sample[],
  send: Send = fetch,
): Promise<void> {
  const sample = samples.find(({ slot: { position, image_type } }) => position === slot.position && image_type === slot.image_type);
  if (!sample) throw new Error(`There is no sample of ${slot.image_type} ${slot.position}`);
  const response = await send(upload_url, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', ...required_headers },
    body: sample.bytes,
  });
  if (response.status !== 200) throw new Error(`The upload of ${slot.image_type} ${slot.position} answered ${response.status}`);
}
