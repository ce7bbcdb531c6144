/** Identifiers of the public interface that name a product. Each is defined only here. */
export const ENGINE_API = 'tire-vision';
/** Version of the interface of the analysis product. The version of the model is stored with the slot. */
export const ENGINE_API_VERSION = '2.0';

/** The only content profile. */
export const CONTENT_PROFILE = { key: 'tire-standard', version: '1.0', locale: 'ko-KR' } as const;
