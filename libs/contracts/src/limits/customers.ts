/** The limits of what is kept about a customer. */
export const CUSTOMER_LIMITS = { name: 60, phone: 24, email: 254, note: 500 } as const;

/**
 * What a customer agrees to. A visit keeps the version and the language, so a text never changes: a new one gets a new version, and the
 * newest one is the last.
 */
export const CONSENT_TEXTS = {
  '2026-11': {
    ko: '점검 결과를 보내고 다음 점검을 안내하기 위해 이름, 전화번호, 이메일 주소를 보관하는 데 동의합니다. 동의는 언제든지 철회할 수 있고, 철회하면 더 이상 메시지를 보내지 않습니다.',
    en: 'I agree that my name, phone number and e-mail address are kept to send me the results of the inspection and to tell me about the next one. I can withdraw this consent at any time; then no more messages are sent.',
  },
} as const;

/** What a customer agrees to who gets reminders, beside the consent above. The same rules apply. */
export const REMINDER_CONSENT_TEXTS = {
  '2026-11': {
    ko: '타이어를 다시 점검할 때가 되면 문자나 이메일로 알림을 받는 데 동의합니다. 알림에 있는 링크로 언제든지 받지 않도록 할 수 있습니다.',
    en: 'I agree to get a reminder by text message or e-mail when my tires should be inspected again. I can stop reminders at any time with the link in each of them.',
  },
} as const;
export type ReminderConsentVersion = keyof typeof REMINDER_CONSENT_TEXTS;
export const NEWEST_REMINDER_CONSENT: ReminderConsentVersion = '2026-11';

export type ConsentVersion = keyof typeof CONSENT_TEXTS;
export const NEWEST_CONSENT: ConsentVersion = '2026-11';
