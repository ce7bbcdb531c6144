/** What a project may choose to be notified of, beside report.completed. */
export const CHOSEN_EVENTS = ['report.partial', 'report.failed', 'content.ready', 'share.revoked', 'capture.finished'] as const;
export type ChosenEvent = (typeof CHOSEN_EVENTS)[number];

/** The notifications about a report, each to its callback_url. */
export const REPORT_EVENTS = ['report.completed', ...CHOSEN_EVENTS] as const;
export type ReportEventName = (typeof REPORT_EVENTS)[number];

/** One replay sends at most so many callbacks again, and so many of a project wait at once after they were sent again. */
export const REPLAY_MAX = 1_000;
