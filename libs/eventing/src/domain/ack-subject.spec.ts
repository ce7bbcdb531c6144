import { parseAckSubject } from './ack-subject';

it.each([
  ['$JS.ACK.WORK.reader.3.41.7.1700000000000000000.0', { count: 3, streamSequence: 41 }],
  ['$JS.ACK.domain.account.WORK.reader.3.41.7.1700000000000000000.0', { count: 3, streamSequence: 41 }],
  ['$JS.ACK._.account.WORK.reader.3.41.7.1700000000000000000.0.token', { count: 3, streamSequence: 41 }],
  ['_INBOX.abc', undefined],
  ['', undefined],
])('reads %s', (subject, delivery) => {
  expect(parseAckSubject(subject)).toEqual(delivery);
});
