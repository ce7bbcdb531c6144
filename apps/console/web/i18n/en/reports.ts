import type { ContentSection, ContentTire, Report, ShareRecord } from '@tire/contracts/api';
import type { ListedReport, ReportDetail } from '@tire/contracts/console';
import { reportExport } from './gauge-and-export';
import { slots, upload } from './slots';
import { vehicleLinks, vehicles } from './vehicles';
import { standings, worklist } from './worklist';

type Pattern = NonNullable<ContentTire['wear_pattern']>['code'];
type MetricOf<Section> = Section extends { metrics: infer Metrics } ? keyof Metrics & string : never;
/** A missing text for an enum value of the API does not compile. */
type WordsFor<Value extends string> = Readonly<Record<Value, string>>;

const analysis: WordsFor<Report['analysis_status']> = {
  awaiting_images: 'Waiting for photographs',
  processing: 'Being measured',
  partial: 'Partly measured',
  complete: 'Measured',
  failed: 'Not measured',
};

const publication: WordsFor<Report['publication_status']> = {
  unpublished: 'Not published',
  published: 'Published',
  revoked: 'Withdrawn',
};

const sources: WordsFor<ListedReport['creation']['source_channel']> = {
  partner_api: 'through the API',
  atrace_console: 'in the console',
  mobile_web: 'on a phone',
};

const shareStates: WordsFor<ShareRecord['status']> = {
  active: 'Open',
  closed: 'Not open yet',
  revoked: 'Revoked',
  expired: 'Expired',
};

const shareTexts: WordsFor<ShareRecord['status']> = {
  active: 'Anyone with the link can see the report.',
  closed: 'The link is valid. Its page opens when the report is measured and published.',
  revoked: 'The link no longer works. Issue a new one to share the report again.',
  expired: 'The link has expired. Issue a new one to share the report again.',
};

const happenings: WordsFor<ReportDetail['history'][number]['what']> = {
  created: 'Created',
  image_registered: 'Photograph registered',
  hold_placed: 'Legal hold placed',
  hold_released: 'Legal hold released',
  image_ended: 'Photograph removed after its period',
  image_attached: 'Photograph added',
  fetch_requested: 'Photograph requested',
  image_fetched: 'Photograph fetched',
  analysis_requested: 'Queued for measuring',
  slot_measured: 'Measured',
  slot_failed: 'Not measured',
  size_confirmed: 'Size confirmed',
  gauge_entered: 'Gauge value entered',
  gauge_withdrawn: 'Gauge value withdrawn',
  analysis_ended: 'Measurement ended',
  content_ready: 'Content ready',
  content_failed: 'No content',
  published: 'Published',
  link_reissued: 'New share link issued',
  share_revoked: 'Share link revoked',
  capture_issued: 'Capture link issued',
  capture_opened: 'Capture link opened',
  capture_finished: 'All photographs taken',
  capture_revoked: 'Capture link withdrawn',
  handled: 'Marked as handled',
  not_handled: 'Marked as not handled',
};

const metrics: WordsFor<MetricOf<ContentSection>> = {
  minimum_remaining_depth_mm: 'Shallowest groove',
  legal_limit_mm: 'Wear limit',
  inspection_threshold_mm: 'Recommended limit',
  reference_speed_kmh: 'Speed',
  new_tire_distance_m: 'Stopping distance, new tires',
  current_tire_distance_m: 'Stopping distance, these tires',
  distance_gap_m: 'Difference',
  distance_gap_car_lengths: 'Difference in car lengths',
  speed_at_new_tire_stop_kmh: 'Speed where a car with new tires has stopped',
  distance_gap_percent: 'Increase',
  current_tire_distance_range_m: 'Stopping distance, these tires (range)',
  farthest_band: 'Band at the far end',
  distance_is_at_least: 'Far end is a lower bound',
  mixed_axles: 'Axles with different sizes',
  diameter_difference_percent: 'Difference of diameter, front to rear',
  band: 'Band',
  affected_tire_count: 'Tires with uneven wear',
  codes: 'Patterns',
  front_axle_delta_mm: 'Front, left to right',
  rear_axle_delta_mm: 'Rear, left to right',
  max_axle_delta_mm: 'Largest difference',
  recognized_count: 'Sizes read',
  front_spec: 'Front',
  rear_spec: 'Rear',
  front_rear_match: 'Front and rear match',
};

const patterns: WordsFor<Pattern> = {
  even_wear: 'even',
  center_wear_overinflation_candidate: 'in the middle, possibly too much air',
  both_shoulder_wear_underinflation_candidate: 'on both shoulders, possibly too little air',
  one_shoulder_wear_alignment_candidate: 'on one shoulder, possibly the alignment',
  mixed_or_uncertain: 'mixed or uncertain',
};

/** The report pages. */
export const reports = {
  reports: {
    title: 'Reports',
    search: 'Search',
    searchLabel: 'Plate, report id or your own ids',
    searchHint: 'A whole plate or its last four characters, or a whole id.',
    clear: 'Show all',
    status: 'State',
    mode: 'Source',
    createdFrom: 'Created from',
    createdTo: 'Created up to',
    every: 'All',
    periodWrong: 'The first day is after the last one.',
    none: 'No report matches',
    noneText: 'Remove a filter, or show all.',
    noneSoFar: 'No match among the newest of these reports',
    noneSoFarText: 'Very many reports have this value. "Show more" searches the older ones.',
    export: reportExport,
    empty: 'No report yet',
    emptyText: 'Reports appear here as soon as they are created, through the API or in the console.',
    notFound: (search: string) => `Nothing found for "${search}"`,
    notFoundText: 'Search needs a whole id. For a plate, its last four characters are enough.',
    found: (search: string) => `Results for "${search}"`,
    noPlate: 'No plate',
    manual: 'By hand',
    automatic: 'From photographs',
    created: 'Created',
    inspectionId: 'Inspection',
    vehicleId: 'Vehicle',
    historyOf: (vehicle: string) => `History of ${vehicle}`,
    analysis,
    publication,
    sources,
  },
  report: {
    about: 'About the report',
    id: 'Report id',
    template: 'Template',
    templates: { tire_4t_2s: '4 treads, 2 sidewalls', tire_4t_4s: '4 treads, 4 sidewalls', tire_4t_0s: '4 treads' },
    metadata: 'Metadata',
    updated: 'Changed',
    how: 'Source',
    moving: 'This page updates automatically.',
    publish: 'Publish',
    publishTitle: 'Publish this report?',
    publishText: 'Anyone with the share link can then open its page.',
    publishUnmet: 'It can be published when enough photographs are measured.',
    analyze: 'Measure again',
    analyzeFailed: 'Measure failed photographs again',
    analyzeTitle: 'Measure again?',
    analyzeText: 'The photographs stay. The share page is closed until the new result is ready.',
    discard: 'Discard',
    discardTitle: 'Discard this report for good?',
    discardText: 'Its photographs and values are deleted, and its share link stops working for good. This cannot be undone.',
    discardIncomplete: 'The report is closed, but not all of its data is deleted yet. Discard it once more.',
    discarded: 'The report was discarded.',
    purging: 'The report is being deleted.',
  },
  slots,
  upload,
  content: {
    title: 'Text for the customer',
    text: 'The text of the share page, in its language.',
    pending: 'No text yet',
    pendingText: 'The text is written when the photographs are measured.',
    failed: 'No text could be written',
    failedText: 'A tread was not measured. Replace the photographs that failed.',
    legacy: 'This report was created before texts for customers existed.',
    yes: 'yes',
    no: 'no',
    bands: { short: 'short', moderate: 'moderate', long: 'long' },
    metrics,
    patterns,
    remaining: (lowKm: string, highKm: string) => `About ${lowKm} to ${highKm} km to the wear limit, at 1.2 mm of wear in 10,000 km`,
    remainingAtMost: (km: string) => `At most about ${km} km to the wear limit, at 1.2 mm of wear in 10,000 km`,
    shoulders: {
      left: 'Seems more worn on the left, seen in driving direction.',
      right: 'Seems more worn on the right, seen in driving direction.',
    },
    versions: (rules: string, texts: string) => `Rules ${rules}, texts ${texts}`,
  },
  share: {
    title: 'Share link',
    link: 'Link',
    qr: 'QR code of the share link',
    open: 'Open the page',
    expires: 'Expires',
    expired: 'Expired',
    issued: 'Issued',
    revokedAt: 'Revoked',
    reissue: 'Issue a new link',
    reissueTitle: 'Issue a new link?',
    reissueText: 'The old link stops working. Send the new link to everyone who needs the report.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the share link?',
    revokeText: 'The link stops working. The report stays published, and you can issue a new link.',
    states: shareStates,
    texts: shareTexts,
  },
  past: {
    title: 'History',
    text: 'Oldest first.',
    all: 'Include each photograph',
    happenings,
    by: { user: 'by', api_key: 'by the key', service: 'by the service' },
    model: (name: string) => `Model ${name}`,
    processing: 'Use this id to find the report in traces and logs of all services.',
    trace: 'Trace id',
  },
  vehicleLinks,
  vehicles,
  standings,
  worklist,
};
