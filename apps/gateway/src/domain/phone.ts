import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/min';

/** Nothing but digits and what people write between them: words around a number may name somebody. */
const WRITTEN = /^(?:\+|00)?[\d\s().-]+$/;

/** A number without the code of a country is Korean. Null if it can be none. */
function parsed(written: string): PhoneNumber | null {
  const plain = written.normalize('NFKC');
  if (!WRITTEN.test(plain)) return null;
  const number = parsePhoneNumberFromString(
    plain
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/^00(?=[1-9])/, '+'),
    'KR',
  );
  return number?.isPossible() === true ? number : null;
}

/** One form for each number: E.164. */
export const normalizedPhone = (written: string): string | null => parsed(written)?.number ?? null;

/** As it is dialled in Korea, digits only. Of another country it stays E.164: without the code it could be the number of somebody in Korea. */
export function nationalPhone(phone: string): string {
  const number = parsed(phone);
  return number?.country === 'KR' ? number.formatNational().replaceAll(/\D/g, '') : phone;
}

/** E.164. Null for a number in Korea that gets no text messages. Of other countries the form says nothing. */
export function mobilePhone(written: string): string | null {
  const number = parsed(written);
  return number && (number.country !== 'KR' || /^1[016-9]/.test(number.nationalNumber)) ? number.number : null;
}
