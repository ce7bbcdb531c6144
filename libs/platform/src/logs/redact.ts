const SECRET_FIELD =
  /"(authorization|cookie|set-cookie|password|passwd|secret|whsec|token|share_?token|api_?key|key|access_?key|secret_?key|upload_?url|plate|plate_?number)":"(?:[^"\\]|\\.)*"/gi;
const API_KEY = /\bsvc_(test|live)_[A-Za-z0-9_-]+/g;
const WEBHOOK_SECRET = /\bwhsec_[A-Za-z0-9+/=_-]+/g;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi;
const URL_QUERY = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s"'?\\]*)\?[^\s"'\\]*/gi;
const URL_CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s"'/?@\\]+@/gi;
const SHARE_PATH = /(\/r\/)[A-Za-z0-9_-]{16,}/g;

/** Removes secrets and personal data from a finished log line, at any depth. */
export const redactLine = (line: string): string =>
  line
    .replace(SECRET_FIELD, '"$1":"[redacted]"')
    .replace(API_KEY, 'svc_$1_[redacted]')
    .replace(WEBHOOK_SECRET, 'whsec_[redacted]')
    .replace(BEARER, '$1 [redacted]')
    .replace(URL_CREDENTIALS, '$1[redacted]@')
    .replace(URL_QUERY, '$1?[redacted]')
    .replace(SHARE_PATH, '$1[redacted]');
