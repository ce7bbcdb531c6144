import { redactLine } from './redact';

const LONG = 128 * 1024;
const SHORT = 4 * 1024;

/** CPU time, which other programs on the machine do not change. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

it.each([
  'a.a.a.',
  'a://',
  'a://b',
  'a://b?',
  'a://b@',
  'a-b+c',
  'Bearer ',
  'Basic    ',
  '"key":"',
  '\\"',
  'whsec_',
  'svc_live_',
  '/r/',
  '/r/abcdefghijklmnopqrst',
])('one long line of %s costs about as much as many short ones', (text) => {
  const [long, short] = [text.repeat(LONG / text.length), text.repeat(SHORT / text.length)];
  redactLine(short);
  const shortUs = cpuOf(() => {
    for (let i = 0; i < LONG / SHORT; i++) redactLine(short);
  });
  // A quadratic pattern takes 32 times as long.
  expect(cpuOf(() => redactLine(long))).toBeLessThan(8 * shortUs + 20_000);
});

it.each([
  ['postgres://user:hunter2@db:5432/tire', 'postgres://[redacted]@db:5432/tire'],
  ['1.https://host/a?sig=1&b=2 then', '1.https://host/a?[redacted] then'],
  ['https://host/a and https://host/b?c', 'https://host/a and https://host/b?[redacted]'],
  ['HTTPS://u:p@host/a?b', 'HTTPS://[redacted]@host/a?[redacted]'],
  ['is it done? yes', 'is it done? yes'],
  ['GET /r/v/abcdefghijklmnopqrst.pdf', 'GET /r/v/[redacted].pdf'],
  ['GET /r/abcdefghijklmnopqrst', 'GET /r/[redacted]'],
  ['GET /c/abcdefghijklmnopqrst', 'GET /c/[redacted]'],
  ['POST /s/0123456789_-abcdefghij', 'POST /s/[redacted]'],
])('%s becomes %s', (given, expected) => {
  expect(redactLine(given)).toBe(expected);
});
