/** Injection tokens for values that several services inject. A description is the name of the type, or of the value if it has no type. */
export const OUTBOUND = Symbol('Outbound');
/** String: the address of the public API with its prefix. */
export const PUBLIC_API_URL = Symbol('PublicApiUrl');
