/** What a project may choose to be notified of, beside report.completed. */
export const CHOSEN_EVENTS = ['report.partial', 'report.failed', 'content.ready', 'share.revoked', 'capture.finished'] as const;
export type ChosenEvent = (typeof CHOSEN_EVENTS)[number];

/** The notifications about a report, each to its callback_url. */
export const REPORT_EVENTS = ['report.completed', ...CHOSEN_EVENTS] as const;
export type ReportEventName = (typeof REPORT_EVENTS)[number];

/** One replay sends at most so many callbacks again, and so many of a project wait at once after they were sent again. */
export const REPLAY_MAX = 1_000;

/** Callbacks are recorded for a listener for so long after it read last. */
export const LISTENER_MINUTES = 60;
/** A recorded callback can be read for so long. */
export const LISTENED_HOURS = 24;
/** How many one read returns at most: with bodies of two kilobytes less than a message between services may have. */
export const LISTENED_PAGE_MAX = 100;
/** The longest wait of a read for what happens. Ingresses and clients usually end a request without an answer after 30 or 60 seconds. */
export const POLL_SECONDS_MAX = 25;
