import type { Report } from '@tire/contracts/api';

/** The link with which somebody else takes the photographs of a report. */
export const capture = {
  title: 'Capture link',
  text: 'A driver or a mechanic opens the link on a phone and takes the photographs, without an account.',
  states: {
    issued: 'Not opened yet',
    opened: 'Opened',
    finished: 'All photographs taken',
    expired: 'Expired',
    revoked: 'Withdrawn',
  } satisfies Record<NonNullable<Report['capture']>['state'], string>,
  images: (count: number) => (count === 1 ? '1 photograph' : `${count} photographs`),
  opened: 'Opened',
  finished: 'Finished',
  expires: 'Valid until',
  link: 'Address of the link',
  qr: 'QR code of the capture link',
  once: 'Copy the link now. It is not shown again.',
  issue: 'Issue a link',
  reissue: 'Issue a new link',
  reissueTitle: 'Issue a new link?',
  reissueText: 'The earlier link stops working. Photographs that were taken with it stay.',
  revoke: 'Withdraw the link',
  revokeTitle: 'Withdraw the link?',
  revokeText: 'Nobody can take photographs with it any more. Photographs that were taken stay.',
  byLink: 'Somebody else takes the photographs with a link',
  byLinkText: 'The next page shows a link and a QR code.',
  settings: {
    title: 'Capture page',
    text: 'The page that opens with a capture link shows the name and the logo above.',
    showsShareLink: 'Link to the share page once it is open',
    origins: 'Sites that may embed the page',
    originsText: 'One origin on each line, for example https://shop.example. Leave it empty to allow none.',
    save: 'Save the capture page',
    originsWrong: 'Enter origins such as https://shop.example, at most 10.',
  },
};
