export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_LANGUAGES = ['ko', 'en'] as const;
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number];

/** Depths are those of the lowest groove in millimetres. */
export const EXPORT_COLUMNS = [
  'created_at',
  'plate_number',
  'analysis_status',
  'publication_status',
  'creation_mode',
  'depth_front_left',
  'depth_front_right',
  'depth_rear_left',
  'depth_rear_right',
  'size_front_left',
  'size_front_right',
  'size_rear_left',
  'size_rear_right',
  'gauge_grooves',
  'external_inspection_id',
  'external_vehicle_id',
  'template_key',
  'source_channel',
  'report_id',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];
