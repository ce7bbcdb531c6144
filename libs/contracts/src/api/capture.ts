import { z } from 'zod';
import { CAPTURE_HOURS } from '../limits';
import { DateTime, Uri, Uuid } from './common';
import { webAddress } from './text';

export const CaptureOrder = z
  .object({
    expires_in_hours: z.int().min(1).max(CAPTURE_HOURS.max).nullish().describe(`Omitted: ${CAPTURE_HOURS.default}.`),
    language: z.enum(['ko', 'en']).nullish().describe('The language in which the page opens; its visitor can change it. Omitted: ko.'),
    return_url: webAddress(['https:', 'http:'])
      .nullish()
      .describe('Where the page leads afterwards, with the parameters report_id and status. Without TLS in development only.'),
  })
  .meta({ id: 'CaptureOrder' });
export type CaptureOrder = z.infer<typeof CaptureOrder>;

export const IssuedCapture = z
  .object({
    report_id: Uuid,
    capture_url: Uri.meta({
      description: 'The holder of this address can take the images of this report. Only this response contains it.',
    }),
    expires_at: DateTime,
  })
  .meta({ id: 'IssuedCapture' });
export type IssuedCapture = z.infer<typeof IssuedCapture>;

export const RevokedCapture = z.object({ report_id: Uuid, revoked_at: DateTime }).meta({ id: 'RevokedCapture' });
export type RevokedCapture = z.infer<typeof RevokedCapture>;
