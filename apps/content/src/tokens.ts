export const PUBLIC_API_URL = Symbol('public api url');
