export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_LANGUAGES = ['ko', 'en'] as const;
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number];

/** Depths are those of the lowest groove in millimetres. */
export const EXPORT_COLUMNS = [
  'created_at',
  'plate_number',
  'standing',
  'handled_at',
  'handled_by',
  'branch',
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
  'vin',
  'mileage_km',
  'template_key',
  'source_channel',
  'report_id',
  'customer_name',
  'customer_phone',
  'customer_email',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** In full, and only for roles that may see customers. */
const CUSTOMER_COLUMNS = ['customer_name', 'customer_phone', 'customer_email'] as const satisfies readonly ExportColumn[];
type CustomerColumn = (typeof CUSTOMER_COLUMNS)[number];

export const isCustomerColumn = (column: ExportColumn): column is CustomerColumn => CUSTOMER_COLUMNS.some((one) => one === column);

/** Without a choice. A file with customers is asked for. */
export const USUAL_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.filter((column) => !isCustomerColumn(column));

/** The reports that one request may name. */
export const SELECTED_MAX = 100;

export const EXPORT_KINDS = ['reports', 'usage'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];
export const EXPORT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type ExportFrequency = (typeof EXPORT_FREQUENCIES)[number];
/** When the file of a period is made, on the day after it, by the clocks of the project. */
export const EXPORT_HOUR = 5;
/** The schedules of a project. */
export const EXPORT_SCHEDULES_MAX = 10;
/** How long a scheduled file is kept. */
export const EXPORT_KEPT_DAYS = 30;
/** The last files of a schedule that the console lists. */
export const EXPORT_FILES_SHOWN = 31;
/** The size of a scheduled file. */
export const EXPORT_BYTES_MAX = 20 * 1024 * 1024;
/** Attempts to make a scheduled file and to deliver it, together; from the first one to the last one it takes about a day. */
export const EXPORT_ATTEMPTS_MAX = 8;

/** Why an attempt failed. */
export const EXPORT_FAULTS = [
  'service_unavailable',
  'interrupted',
  'internal_error',
  'too_large',
  'secret_unreadable',
  'bucket_forbidden',
  'bucket_unreachable',
  'bucket_timeout',
  'bucket_refused',
  'bucket_missing',
  'bucket_error',
] as const;
export type ExportFault = (typeof EXPORT_FAULTS)[number];

/** The limits of the address of a bucket. */
export const BUCKET_LIMITS = { endpoint: 255, region: 40, bucket: 63, prefix: 200, accessKeyId: 128, secretAccessKey: 256 } as const;
