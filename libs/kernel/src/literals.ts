/** Identifiers of the public interface that name a product. Each is defined only here. */
export const ENGINE_API = 'tire-vision';
/** Version of the interface of the analysis product. The version of the model is stored with the slot. */
export const ENGINE_API_VERSION = '2.0';

/** The content profile of a report that names none. */
export const CONTENT_PROFILE = { key: 'tire-standard', version: '1.0', locale: 'ko-KR' } as const;
/** The languages of its content. */
export const CONTENT_LOCALES = ['ko-KR', 'en-US'] as const;

export const SOURCE_CHANNELS = ['partner_api', 'atrace_console', 'mobile_web'] as const;

export const ASSET_SOURCE_KINDS = ['partner_url', 'atrace_upload'] as const;

export const TEMPLATE_KEYS = ['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s'] as const;
