import type { Config } from '../config';

type Base = Pick<Config, 'SHARE_BASE_URL' | 'PUBLIC_API_URL'>;

export const shareUrl = ({ SHARE_BASE_URL: base }: Base, token: string): string => `${base}/r/${token}`;
export const pdfUrl = (config: Base, token: string): string => `${shareUrl(config, token)}.pdf`;
export const reportUrl = ({ PUBLIC_API_URL: base }: Base, reportId: string): string => `${base}/reports/${reportId}`;
