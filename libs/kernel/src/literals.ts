/** Identifiers of the public interface that name a product. Each is written here and nowhere else. */
export const ENGINE_API = 'tire-vision';
/** Version of the analysis product's interface; which model measured is recorded beside the slot. */
export const ENGINE_API_VERSION = '2.0';

/** The one content profile there is. */
export const CONTENT_PROFILE = { key: 'tire-standard', version: '1.0', locale: 'ko-KR' } as const;
