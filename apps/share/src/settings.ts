import type { Clock } from '@tire/kernel';

/** What the parts of this service need of its configuration, and the time. */
export interface Settings {
  readonly publicApiUrl: string;
  readonly shareBaseUrl: string;
  readonly photographOrigin: string;
  readonly linkLifetimeDays: number;
  readonly pdfsAtOnce: number;
  readonly callbacksAtOnce: number;
  readonly clock: Clock;
}

export const SETTINGS = Symbol('settings');

export const shareUrl = (settings: Settings, token: string): string => `${settings.shareBaseUrl}/r/${token}`;
export const pdfUrl = (settings: Settings, token: string): string => `${shareUrl(settings, token)}.pdf`;
export const reportUrl = (settings: Settings, reportId: string): string => `${settings.publicApiUrl}/reports/${reportId}`;
