import { partnerName, partnerPhone, telephoneAddress } from './partner';

it.each([
  ['+82 2-123-4567', 'tel:+8221234567'],
  ['02-123-4567', 'tel:021234567'],
  ['1588-1234', 'tel:15881234'],
  ['+821012345678', 'tel:+821012345678'],
])('%s is a phone number: %s', (phone, address) => {
  expect(partnerPhone(` ${phone} `)).toBe(phone);
  expect(telephoneAddress(phone)).toBe(address);
});

it.each(['1', '12-', '-123456', '++8212345', '02--1234567', 'tel:0212345', '02 1234 5678 x', '<b>021234567', '+1234567890123456'])(
  '%s is none',
  (phone) => expect(() => partnerPhone(phone)).toThrow(expect.objectContaining({ code: 'validation_error', param: 'phone' })),
);

it('a name has 60 characters, and none that is invisible or turns the text around', () => {
  expect(partnerName('  한빛\u202e 타이어\n ')).toBe('한빛 타이어');
  expect(partnerName('A\nB\t C \u200b D')).toBe('A B C D');
  expect(partnerName('가'.repeat(60))).toBe('가'.repeat(60));
  expect(() => partnerName('가'.repeat(61))).toThrow(expect.objectContaining({ param: 'name' }));
});

it.each([undefined, '', '  ', '\u200b'])('nothing is shown for %j', (text) => {
  expect([partnerName(text), partnerPhone(text)]).toEqual([null, null]);
});
