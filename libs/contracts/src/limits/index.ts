/** Limits without schemas, so that the web console can import them without a validation library. */

export const LIMITS = {
  plateNumber: 32,
  externalId: 128,
  clientAssetId: 128,
  url: 2_048,
  metadataBytes: 16 * 1024,
  metadataDepth: 64,
} as const;

/** The size of an image that a partner supplies. */
export const IMAGE_BYTES_MAX = 20 * 1024 * 1024;

export {
  CHOSEN_EVENTS,
  LISTENED_HOURS,
  LISTENED_PAGE_MAX,
  LISTENER_MINUTES,
  POLL_SECONDS_MAX,
  REPLAY_MAX,
  REPORT_EVENTS,
  type ChosenEvent,
  type ReportEventName,
} from './webhooks';

/** How long a capture link lasts. */
export const CAPTURE_HOURS = { default: 72, max: 720 } as const;

/** The longest period of the usage of a project. */
export const USAGE_DAYS_MAX = 92;

/** The history of a vehicle has no more reports. */
export const VEHICLE_REPORTS_MAX = 200;

/** The page of a vehicle shows no more inspections; further ones are counted. */
export const VEHICLE_PAGE_INSPECTIONS = 40;

/** How long the previous webhook secret may sign beside a new one. */
export const SECRET_OVERLAP_HOURS_MAX = 720;

export {
  CONSENT_TEXTS,
  CUSTOMER_LIMITS,
  NEWEST_CONSENT,
  NEWEST_REMINDER_CONSENT,
  REMINDER_CONSENT_TEXTS,
  type ConsentVersion,
  type ReminderConsentVersion,
} from './customers';

export {
  hasSubject,
  isLongText,
  linkOfPurpose,
  placesOfPurpose,
  SMS_BYTES,
  smsBytes,
  TEMPLATE_LIMITS,
  TEMPLATE_PURPOSES,
  type Placeholder,
  type TemplatePurpose,
} from './messages';

export const NAME_LENGTH_MAX = 100;

/** The limits of the partner's texts on a share page. */
export const PARTNER_LIMITS = { name: 60, phone: 20, address: 120, openingHours: 200 } as const;
/** The limits of the texts of a branch, and of the branches of a project. */
export const BRANCH_LIMITS = { ...PARTNER_LIMITS, branches: 200 } as const;
/** A distance that no car has driven. */
export const MILEAGE_KM_MAX = 2_000_000;
/** A VIN has 17 characters, without I, O and Q, which look like digits (ISO 3779). */
export const VIN_PATTERN = '^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$';
/** The limit of the file that a member chooses. */
export const LOGO_BYTES_MAX = 512 * 1024;

/** The passkeys of one account. */
export const PASSKEYS_MAX = 10;

export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

/** The price of one report, in minor units. */
export const REPORT_PRICE_MAX = 10_000_000;

export const REPORT_PRICES_SHOWN_MAX = 100;

/** The reports of one exported file. */
export const EXPORT_ROWS_MAX = 50_000;

/** Possible values of a manual report, and values that need a confirmation. */
export const MANUAL_LIMITS = {
  depthMm: { min: 0, max: 20, unusualAbove: 9, unusualBelow: 0.5, unusualSpread: 3 },
  grooves: { min: 1, max: 8 },
  sectionWidthMm: { min: 125, max: 395 },
  aspectRatioPercent: { min: 20, max: 90 },
  rimDiameterInch: { min: 10, max: 26 },
} as const;

export * from './erasures';
export * from './exports';

/** Reports of one project under legal hold at the same time. */
export const HELD_REPORTS_MAX = 1_000;
export const HOLD_REASON_LENGTH_MAX = 500;
