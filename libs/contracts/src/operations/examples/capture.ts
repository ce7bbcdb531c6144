import type { CaptureOrder, IssuedCapture, RevokedCapture } from '../../api/capture';
import { reportCompletedExample } from './reports';

const { report_id } = reportCompletedExample.data;

export const captureOrderExample: CaptureOrder = {
  expires_in_hours: 48,
  language: 'ko',
  return_url: 'https://partner.example/inspections/2026-0911',
};

export const issuedCaptureExample: IssuedCapture = {
  report_id,
  capture_url: 'https://tires.example/c/q3n2wq7yX3zE0bq9l1b7Yw5m0H2k4vJ8sT6uR1pA9cE',
  expires_at: '2026-11-23T04:58:33.000Z',
};

export const revokedCaptureExample: RevokedCapture = { report_id, revoked_at: '2026-11-21T06:12:00.000Z' };
