import { BRANCH_LIMITS, PARTNER_LIMITS } from '@tire/contracts/limits';
import { faulty } from '@tire/kernel';

/** With the code of a country (E.164 has 15 digits at most) or as it is dialled in its country, with spaces and hyphens between digits. */
const PHONE = /^\+?\d(?:[ -]?\d){3,14}$/;

// Control characters, and marks that change the direction of text: a name must not rearrange the page around it.
// Line breaks and tabs are not among them: they part words, as spaces do.
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}]/gu;

const trimmed = (text: string | undefined): string => (text ?? '').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** Pages of projects that have chosen no zone have always shown this one. */
export const FIRST_TIME_ZONE = 'Asia/Seoul';

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

/** The lines of a text without empty ones. Null: nothing is shown. */
const linesOf = (text: string | undefined): string | null =>
  (text ?? '')
    .split(/\r\n|\r|\n/)
    .map(trimmed)
    .filter(Boolean)
    .join('\n') || null;

function bounded(param: string, text: string | null, max: number): string | null {
  if (text !== null && [...text].length > max) throw faulty(param, `must have at most ${max} characters.`);
  return text;
}

interface PlaceTexts {
  readonly address: string | null;
  readonly openingHours: string | null;
}

const addressOf = (text: string | undefined): string | null => bounded('address', trimmed(text) || null, PARTNER_LIMITS.address);
const openingHoursOf = (text: string | undefined): string | null => bounded('opening_hours', linesOf(text), PARTNER_LIMITS.openingHours);

export interface BranchTexts extends PlaceTexts {
  readonly name: string;
  readonly phone: string | null;
}

type SentTexts = { readonly [Part in 'name' | 'phone' | 'address' | 'openingHours']?: string | undefined };

/** Address and hours that were not sent stay as they are. */
export const partnerTexts = ({ name, phone, address, openingHours }: SentTexts) => ({
  name: partnerName(name),
  phone: partnerPhone(phone),
  address: address === undefined ? undefined : addressOf(address),
  openingHours: openingHours === undefined ? undefined : openingHoursOf(openingHours),
});

export function branchTexts({ name, phone, address, openingHours }: SentTexts & { readonly name: string }): BranchTexts {
  const shown = bounded('name', trimmed(name) || null, BRANCH_LIMITS.name);
  if (shown === null) throw faulty('name', 'must not be blank.');
  return {
    name: shown,
    phone: partnerPhone(phone),
    address: addressOf(address),
    openingHours: openingHoursOf(openingHours),
  };
}
