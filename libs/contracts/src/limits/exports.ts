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
