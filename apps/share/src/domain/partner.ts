import { PARTNER_LIMITS } from '@tire/contracts/limits';
import { faulty } from '@tire/kernel';

/** With the code of a country (E.164 has 15 digits at most) or as it is dialled in its country, with spaces and hyphens between digits. */
const PHONE = /^\+?\d(?:[ -]?\d){3,14}$/;

// Control characters, and marks that change the direction of text: a name must not rearrange the page around it.
// Line breaks and tabs are not among them: they part words, as spaces do.
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}]/gu;

const trimmed = (text: string | undefined): string => (text ?? '').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** Null: nothing is shown. */
export function partnerName(text: string | undefined): string | null {
  const name = trimmed(text);
  if ([...name].length > PARTNER_LIMITS.name) throw faulty('name', `must have at most ${PARTNER_LIMITS.name} characters.`);
  return name === '' ? null : name;
}

/** Null: nothing is shown. */
export function partnerPhone(text: string | undefined): string | null {
  const phone = trimmed(text);
  if (phone === '') return null;
  if (phone.length > PARTNER_LIMITS.phone || !PHONE.test(phone))
    throw faulty('phone', 'must be a phone number: digits, spaces, hyphens, + at the beginning.');
  return phone;
}

/** The address that a telephone dials. */
export const telephoneAddress = (phone: string): string => `tel:${phone.replace(/[ -]/g, '')}`;
