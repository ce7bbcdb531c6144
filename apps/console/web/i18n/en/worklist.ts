import type { Standing } from '@tire/contracts/console';
import type { Urgency } from '@tire/kernel/standing';

/** The word for a report, the same on every page. Those of verdicts are the words of content. */
export const standings: Readonly<Record<Standing, string>> = {
  critical: 'Critical',
  near_limit: 'Near the limit',
  caution: 'Caution',
  good: 'Good',
  unknown: 'Unknown',
  unjudged: 'Being judged',
  content_failed: 'No verdict',
  awaiting_images: 'Waiting for photographs',
  processing: 'Being measured',
  partial: 'Retake some photographs',
  failed: 'Retake the photographs',
};

const urgencies: Readonly<Record<Urgency, string>> = {
  critical: standings.critical,
  near_limit: standings.near_limit,
  caution: standings.caution,
  good: standings.good,
  not_measured: 'Without a verdict',
};

/** The worklist, and the first lines of a report. */
export const worklist = {
  urgencies,
  unread: 'New',
  handled: 'Handled',
  view: 'Show',
  views: { open: 'To do', unread: 'New', handled: 'Handled', all: 'All' },
  order: 'Order',
  orders: { urgency: 'By urgency', newest: 'Newest' },
  person: 'Created by',
  more: 'More filters',
  text: { urgency: 'Most urgent first.', newest: 'Newest first.' },
  nothing: 'Nothing left to do',
  nothingText: 'Handled reports are under "Show: All".',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all shown',
  selected: (count: number) => `${count} selected`,
  selectedMax: (count: number) => `At most ${count} at once.`,
  markHandled: 'Mark as handled',
  markNotHandled: 'Mark as not handled',
  copyLinks: 'Copy share links',
  marked: (count: number) => `${count} changed.`,
  unchanged: (count: number) => `${count} had this mark already.`,
  stale: (count: number) =>
    `${count} ${count === 1 ? 'was' : 'were'} not marked: a newer result came meanwhile. Look at ${count === 1 ? 'it' : 'them'} again.`,
  staleHere: 'Not marked: a newer result came meanwhile. Look at it again.',
  gone: (count: number) => `${count} no longer ${count === 1 ? 'exists' : 'exist'}.`,
  failed: (count: number) => `${count} could not be read. Try again.`,
  copied: (count: number) => `${count} ${count === 1 ? 'link' : 'links'} copied.`,
  links: 'Share links',
  ready: (count: number) => `${count} ${count === 1 ? 'link' : 'links'}. Copy them here:`,
  closed: (count: number) => `${count} ${count === 1 ? 'page does' : 'pages do'} not open yet.`,
  handledBy: (name: string) => `by ${name}`,
  verdict: 'Verdict',
  copyLink: 'Copy link',
  linkCopied: 'Copied',
  copyByHand: 'Copy the link below by hand',
  pdf: 'PDF',
  print: 'Print',
  notOpen: "The customer's page opens when the report is measured and published.",
  addImages: 'Take photographs',
  whatNow: {
    unjudged: 'The photographs are measured. The verdict follows in a moment.',
    content_failed: 'The photographs are measured, but no verdict could be written. Measure them again.',
    awaiting_images: 'Take the missing photographs.',
    processing: 'The photographs are being measured. This page updates automatically.',
    partial: 'Some photographs could not be measured. The list below says how to take them again.',
    failed: 'No photograph could be measured. The list below says how to take them again.',
    unknown: 'There is no verdict for this report.',
  },
  support: 'For support',
  supportText: 'These details help when you call support.',
};
