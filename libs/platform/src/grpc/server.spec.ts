import { status } from '@grpc/grpc-js';
import { statusOfCancelled } from './server';

it.each([
  ['long before the deadline', 10_000, 2_000, status.CANCELLED],
  ['without a deadline', Infinity, 2_000, status.CANCELLED],
  ['just before it, by the clock of the client', 10_000, 9_950, status.DEADLINE_EXCEEDED],
  ['at the deadline', 10_000, 10_000, status.DEADLINE_EXCEEDED],
  ['after a deadline that is a date', new Date(10_000), 10_001, status.DEADLINE_EXCEEDED],
])('tells why a call was cancelled: %s', (_, deadline, nowMs, expected) => {
  expect(statusOfCancelled(deadline, nowMs)).toBe(expected);
});
