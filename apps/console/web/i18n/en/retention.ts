import type { RetentionBounds, RetentionKind } from '@tire/kernel/retention';

const kinds: Readonly<Record<RetentionKind, string>> = {
  reports: 'Reports (days)',
  photographs: 'Photographs (days)',
  callbacks: 'Webhook deliveries (days)',
  request_log: 'Request log (days)',
  messages: 'Messages to customers (days)',
  usage: 'Usage counts (days)',
  audit_log: 'Audit log (days)',
};

const kindTexts: Readonly<Record<RetentionKind, string>> = {
  reports: 'From the creation of a report: it goes with everything that belongs to it. 0: until someone discards it.',
  photographs: 'From the upload. The report and its values stay, and a notice takes the place of the photograph. 0: as long as the report.',
  callbacks: 'With all attempts. Usage still counts them.',
  request_log: 'Requests of API keys.',
  messages: 'From the end of the sending.',
  usage: 'Counts of reports, photographs and deliveries.',
  audit_log: 'What members did in this project.',
};

const number = new Intl.NumberFormat('en');

export const retention = {
  title: 'Retention',
  text: 'For how long this project keeps what. What is older is removed within an hour, from the whole service, and does not come back.',
  rules: 'Periods',
  rulesText: 'Leave a field empty to use the default.',
  readOnly: 'An owner can change these periods.',
  kinds,
  kindTexts,
  days: (kind: RetentionKind, days: number) =>
    days > 0
      ? `${number.format(days)} ${days === 1 ? 'day' : 'days'}`
      : kind === 'photographs'
        ? 'as long as the report'
        : 'until someone discards it',
  default: (days: string) => `Default: ${days}.`,
  byDefault: 'the default',
  outOfBounds: ({ daysMin, daysMax, keeps }: RetentionBounds) =>
    `${number.format(daysMin)} to ${number.format(daysMax)} days${keeps ? ', or 0' : ''}.`,
  shorterTitle: 'Shorten periods?',
  shorterText: 'What is older than the new period is removed within an hour and cannot be restored. Reports under legal hold stay.',
  shorten: 'Shorten and remove',
  holds: 'Legal holds',
  holdsText: 'Nothing removes the data of these reports: neither their period nor a discard, which only ends access.',
  noHolds: 'No report is under legal hold. Place a hold on the page of a report.',
  discarded: 'discarded',
  release: 'Release',
  releaseNamed: (name: string) => `Release ${name}`,
  releaseTitle: 'Release the hold?',
  releaseText: 'From then on the periods above apply to this report.',
  releaseDiscardedText: 'The report was discarded while it was held. Its data is removed now and cannot be restored.',
  hold: 'Legal hold',
  holdText: 'While a hold is in place, nothing removes the data of this report.',
  customerHeld: 'The report is under legal hold, so its customer cannot be removed. Withdraw the consent, so that nothing is sent.',
  place: 'Place a hold',
  heldBecause: 'On hold:',
  toHolds: 'All holds',
  reason: 'Reason',
  reasonText: 'For example the number of a case. Owners and administrators see it.',
  tooMany: 'The project already holds 1,000 reports. Release one first.',
};
