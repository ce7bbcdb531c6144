/** Injection tokens for values without a class. */
/** Whether callbacks may be sent to addresses without TLS. */
export const PLAIN_CALLBACKS = Symbol('PlainCallbacks');
export const TRUSTED_PROXIES = Symbol('TrustedProxies');
export const ADMISSION_RULES = Symbol('AdmissionRules');
export const KEY_USE_FLUSH_SECONDS = Symbol('KeyUseFlushSeconds');
/** For how many days the installation keeps backups. */
export const BACKUP_DAYS = Symbol('BackupDays');
/** The folder of the built capture page, or null. */
export const CAPTURE_ROOT = Symbol('CaptureRoot');

export const RETENTION = Symbol('RetentionSettings');

export interface RetentionSettings {
  readonly intervalMs: number;
  /** In days, of projects that chose nothing else. */
  readonly defaults: { readonly request_log: number; readonly messages: number; readonly audit_log: number };
}
