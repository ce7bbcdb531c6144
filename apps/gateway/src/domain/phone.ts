const KOREA = '82';

/**
 * One form for each number: digits with the code of the country. A number without one is Korean. Null if it can be none. Numbers have 15
 * digits at most (E.164).
 */
export function normalizedPhone(written: string): string | null {
  const plain = written.normalize('NFKC').replaceAll(/[\s().-]/g, '');
  const [, plus, digits = ''] = /^(\+|00)?(\d+)$/.exec(plain) ?? [];
  if (digits === '') return null;
  const whole = plus ? digits.replace(/^820/, KOREA) : digits.startsWith('0') ? KOREA + digits.slice(1) : KOREA + digits;
  return whole.length >= 9 && whole.length <= 15 ? `+${whole}` : null;
}
