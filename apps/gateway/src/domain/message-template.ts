import {
  CUSTOMER_LIMITS,
  hasSubject,
  LIMITS,
  linkOfPurpose,
  PARTNER_LIMITS,
  type Placeholder,
  placesOfPurpose,
  SMS_BYTES,
  smsBytes,
  type TemplatePurpose,
} from '@tire/contracts/limits';
import { plainName } from './plain-name';

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;

export interface Template {
  readonly subject: string;
  readonly text: string;
}

/** Null where it is unknown. */
type Values = Readonly<Record<Exclude<Placeholder, 'link' | 'stop'>, string | null>>;
export type TemplateValues = Values & Readonly<Partial<Record<'link' | 'stop', string>>>;
export type MessageLanguage = 'ko' | 'en';

/** What stands where a value is unknown. */
const UNKNOWN: Readonly<Record<MessageLanguage, Readonly<Record<keyof Values, string>>>> = {
  ko: { name: '고객', shop: '정비소', shop_phone: '', shop_address: '', shop_hours: '', plate: '차량' },
  en: { name: 'customer', shop: 'Your shop', shop_phone: '', shop_address: '', shop_hours: '', plate: 'your vehicle' },
};

const REPORT_EMAIL: Readonly<Record<MessageLanguage, Template>> = {
  ko: {
    subject: '[{{shop}}] {{plate}} 타이어 점검 결과',
    text: '{{name}}님, 안녕하세요. {{shop}}입니다.\n\n{{plate}} 타이어 점검 결과를 보내 드립니다.\n\n{{link}}\n\n궁금한 점은 언제든지 문의해 주세요.\n\n{{shop}}\n{{shop_phone}}\n{{shop_address}}\n{{shop_hours}}',
  },
  en: {
    subject: '[{{shop}}] Tire inspection of {{plate}}',
    text: 'Dear {{name}},\n\nhere are the results of the tire inspection of {{plate}}.\n\n{{link}}\n\nIf you have questions, we are happy to help.\n\n{{shop}}\n{{shop_phone}}\n{{shop_address}}\n{{shop_hours}}',
  },
};

const REPORT_SMS: Readonly<Record<MessageLanguage, Template>> = {
  ko: { subject: '', text: '[{{shop}}] {{name}}님, {{plate}} 타이어 점검 결과입니다.\n{{link}}\n{{shop_phone}}' },
  en: { subject: '', text: '[{{shop}}] {{name}}, the tire inspection of {{plate}}:\n{{link}}\n{{shop_phone}}' },
};

const REMINDER_EMAIL: Readonly<Record<MessageLanguage, Template>> = {
  ko: {
    subject: '[{{shop}}] {{plate}} 타이어 점검 안내',
    text: '{{name}}님, 안녕하세요. {{shop}}입니다.\n\n{{plate}} 타이어를 다시 점검할 때가 되었습니다. 편하신 시간에 들러 주세요.\n\n{{shop}}\n{{shop_phone}}\n{{shop_address}}\n{{shop_hours}}\n\n더 이상 알림을 받지 않으시려면: {{stop}}',
  },
  en: {
    subject: '[{{shop}}] Tire inspection of {{plate}}',
    text: 'Dear {{name}},\n\nit is time to inspect the tires of {{plate}} again. You are welcome at any time.\n\n{{shop}}\n{{shop_phone}}\n{{shop_address}}\n{{shop_hours}}\n\nTo get no more reminders: {{stop}}',
  },
};

const REMINDER_SMS: Readonly<Record<MessageLanguage, Template>> = {
  ko: { subject: '', text: '[{{shop}}] {{name}}님, {{plate}} 타이어를 점검할 때가 되었습니다. {{shop_phone}}\n수신거부 {{stop}}' },
  en: { subject: '', text: '[{{shop}}] {{name}}, it is time to inspect the tires of {{plate}}. {{shop_phone}}\nStop: {{stop}}' },
};

export const DEFAULT_TEMPLATES: Readonly<Record<TemplatePurpose, Readonly<Record<MessageLanguage, Template>>>> = {
  report_email: REPORT_EMAIL,
  report_sms: REPORT_SMS,
  reminder_email: REMINDER_EMAIL,
  reminder_sms: REMINDER_SMS,
};

export interface TemplateFault {
  readonly param: 'subject' | 'text';
  readonly message: string;
}

/** The bytes of the longest values in a text message. */
const VALUE_BYTES: Readonly<Record<Placeholder, number>> = {
  name: 2 * CUSTOMER_LIMITS.name,
  shop: 2 * PARTNER_LIMITS.name,
  shop_phone: 2 * PARTNER_LIMITS.phone,
  shop_address: 2 * PARTNER_LIMITS.address,
  shop_hours: 2 * PARTNER_LIMITS.openingHours,
  plate: 2 * LIMITS.plateNumber,
  link: 200,
  stop: 200,
};

const longestBytes = (text: string): number =>
  smsBytes(text.replaceAll(PLACE, '')) + placesIn(text).reduce((bytes, name) => bytes + VALUE_BYTES[name as Placeholder], 0);

/** A text names known values only, and has its link; a subject is one line without it, and a text message has none. */
export function faultsOf({ subject, text }: Template, purpose: TemplatePurpose): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const known: readonly string[] = placesOfPurpose(purpose);
  const link = linkOfPurpose(purpose);
  for (const [param, value] of Object.entries({ subject, text }) as ['subject' | 'text', string][]) {
    const unknown = placesIn(value).find((name) => !known.includes(name));
    if (unknown !== undefined) faults.push({ param, message: `names {{${unknown.slice(0, 40)}}}, which is no placeholder.` });
    else if (/\{\{|\}\}/.test(value.replaceAll(PLACE, ''))) faults.push({ param, message: 'has braces that are not closed.' });
  }
  if (hasSubject(purpose) !== (subject.trim() !== ''))
    faults.push({ param: 'subject', message: hasSubject(purpose) ? 'must not be empty.' : 'must be empty: a text message has none.' });
  if (/[\p{Cc}]/u.test(subject)) faults.push({ param: 'subject', message: 'must be one line.' });
  if (placesIn(subject).includes(link)) faults.push({ param: 'subject', message: 'must not have the link.' });
  if (/[\p{Cc}]/u.test(text.replaceAll(/\r?\n|\t/g, ''))) faults.push({ param: 'text', message: 'has control characters.' });
  if (!placesIn(text).includes(link)) faults.push({ param: 'text', message: `must have {{${link}}}.` });
  if (faults.length === 0 && !hasSubject(purpose) && longestBytes(text) > SMS_BYTES.max)
    faults.push({
      param: 'text',
      message: `may be longer than ${SMS_BYTES.max} bytes with the longest values: shorten it, or name fewer.`,
    });
  return faults;
}

/**
 * A value is put in as it is, once: braces in it are no placeholders. Names make no line and no link of their own. A line that only names what is
 * unknown is left out.
 */
export function rendered({ subject, text }: Template, values: TemplateValues, language: MessageLanguage): Template {
  const valueOf = (name: string): string => {
    if (name === 'link' || name === 'stop') return values[name] ?? '';
    if (!isName(name)) return '';
    const value = values[name];
    return value === null || value.trim() === '' ? UNKNOWN[language][name] : plainText(name, value);
  };
  const fill = (template: string): string => template.replaceAll(PLACE, (_, name: string) => valueOf(name));
  const lines = text.split('\n').flatMap((line) => {
    const filled = fill(line);
    return filled.trim() === '' && line.trim() !== '' ? [] : [filled];
  });
  return { subject: fill(subject).trim(), text: lines.join('\n').trim() };
}

const LONGEST = PARTNER_LIMITS.openingHours;

/** Opening hours have several lines. */
const plainText = (name: keyof Values, value: string): string =>
  (name === 'shop_hours' ? value.split('\n') : [value]).map((line) => plainName(line, LONGEST)).join(', ');

const placesIn = (template: string): string[] => [...template.matchAll(PLACE)].map(([, name]) => name!);
const isName = (name: string): name is keyof (typeof UNKNOWN)['ko'] => Object.hasOwn(UNKNOWN.ko, name);
