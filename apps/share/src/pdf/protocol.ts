import type { ReportPdfInput } from './report-pdf';
import type { VehiclePdfInput } from './vehicle-pdf';

export type Drawn =
  | { readonly kind: 'report'; readonly input: ReportPdfInput }
  | { readonly kind: 'vehicle'; readonly input: VehiclePdfInput };

export type Job = Drawn & { readonly id: number };

export type Outcome =
  | { readonly id: number; readonly kind: 'done'; readonly pdf: Uint8Array }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string };
