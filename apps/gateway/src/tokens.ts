/** Injection tokens for values without a class. */
export const PUBLIC_API_URL = Symbol('PUBLIC_API_URL');
/** Whether callbacks may be sent to addresses without TLS. */
export const PLAIN_CALLBACKS = Symbol('PlainCallbacks');
export const TRUSTED_PROXIES = Symbol('TRUSTED_PROXIES');
export const ADMISSION_RULES = Symbol('AdmissionRules');
export const KEY_USE_FLUSH_SECONDS = Symbol('KEY_USE_FLUSH_SECONDS');
