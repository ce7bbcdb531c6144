/** Literal values of the interface. Each stands here and nowhere else. */
export const REPORT_SCHEMA_VERSION = 'report.v1';
export const CONTENT_SCHEMA_VERSION = 'report-content.v1';
export const SOURCE_CHANNELS = ['partner_api', 'atrace_console', 'mobile_web'] as const;
export const CREATION_MODES = ['automatic', 'manual'] as const;
export const ASSET_SOURCE_PARTNER_URL = 'partner_url';
export const ASSET_SOURCE_UPLOAD = 'atrace_upload';
export const ENGINE_API = 'tire-vision';
export const ENGINE_OPERATIONS = ['tire.tread', 'tire.sidewall'] as const;
export const RESULT_SCHEMA_VERSIONS = ['tire-tread.v2', 'tire-sidewall.v2'] as const;
export const TREAD_FUNCTIONS = [
  'aggregated_depth',
  'individual_depths',
  'vehicle_side',
  'tire_rotation',
  'groove_masks',
  'tread_roi',
] as const;
export const SIDEWALL_FUNCTIONS = ['size'] as const;
export const CONTENT_PROFILE_KEY = 'tire-standard';
export const CONTENT_PROFILE_VERSION = '1.0';
export const CONTENT_PROFILE_LOCALE = 'ko-KR';
export const TEMPLATE_KEYS = ['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s'] as const;
export const DEFAULT_TEMPLATE_KEY = 'tire_4t_2s';
export const ANALYSIS_STATUSES = ['awaiting_images', 'processing', 'partial', 'complete', 'failed'] as const;
export const PUBLICATION_STATUSES = ['unpublished', 'published', 'revoked'] as const;
export const SUMMARY_STATUSES = ['pending', 'complete', 'partial', 'failed'] as const;
export const SLOT_STATUSES = ['pending', 'success', 'failed'] as const;
export const PROVENANCES = ['engine', 'manual', 'legacy_projection'] as const;
export const VEHICLE_SIDES = ['left', 'right', 'unknown'] as const;
export const CONTENT_STATUSES = ['pending', 'ready', 'failed'] as const;
export const SEVERITIES = ['good', 'caution', 'critical', 'unknown'] as const;
export const TIRE_INDEXES = ['T1', 'T2', 'T3', 'T4'] as const;
export const WEAR_PATTERN_CODES = [
  'even_wear',
  'center_wear_overinflation_candidate',
  'both_shoulder_wear_underinflation_candidate',
  'one_shoulder_wear_alignment_candidate',
  'mixed_or_uncertain',
] as const;
export const SECTION_IDS = ['tread_wear', 'braking_distance', 'wear_pattern', 'position_variance', 'sidewall_spec'] as const;
export const BRAKING_BANDS = ['short', 'moderate', 'long'] as const;
export const SHARE_STATUSES = ['active', 'closed', 'revoked', 'expired'] as const;
