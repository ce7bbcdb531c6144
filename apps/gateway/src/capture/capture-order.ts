import type { CaptureOrder } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';

export const captureOrder = ({ expires_in_hours, language, return_url }: CaptureOrder): ledgerApi.CaptureOrder => ({
  expiresInHours: expires_in_hours ?? 0,
  language: language ?? '',
  returnUrl: return_url ?? undefined,
});
