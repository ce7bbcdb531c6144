import type { ReportPdfInput } from './report-pdf';

export interface Job {
  readonly id: number;
  readonly input: ReportPdfInput;
}

export type Outcome =
  | { readonly id: number; readonly kind: 'done'; readonly pdf: Uint8Array }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string };
