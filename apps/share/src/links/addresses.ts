import type { Config } from '../config';
import type { Language } from '../page/words/language';

type Base = Pick<Config, 'SHARE_BASE_URL' | 'PUBLIC_API_URL'>;

/** Null: the language of the report. */
const query = (language: Language | null): string => (language === null ? '' : `?lang=${language}`);

export const shareUrl = ({ SHARE_BASE_URL: base }: Base, token: string, language: Language | null = null): string =>
  `${base}/r/${token}${query(language)}`;
export const pdfUrl = (config: Base, token: string, language: Language | null = null): string =>
  `${shareUrl(config, token)}.pdf${query(language)}`;
export const reportUrl = ({ PUBLIC_API_URL: base }: Base, reportId: string): string => `${base}/reports/${reportId}`;

export const vehicleUrl = ({ SHARE_BASE_URL: base }: Base, token: string, language: Language | null = null): string =>
  `${base}/r/v/${token}${query(language)}`;
export const vehiclePdfUrl = (config: Base, token: string, language: Language | null = null): string =>
  `${vehicleUrl(config, token)}.pdf${query(language)}`;
