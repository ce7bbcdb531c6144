/** The limits of a text that a project writes for its customers. */
export const TEMPLATE_LIMITS = { subject: 100, text: 1_000 } as const;

/** Which message a text is of. */
export const TEMPLATE_PURPOSES = ['report_email', 'report_sms', 'reminder_email', 'reminder_sms'] as const;
export type TemplatePurpose = (typeof TEMPLATE_PURPOSES)[number];
/** A text message has no subject. */
export const hasSubject = (purpose: TemplatePurpose): boolean => !purpose.endsWith('_sms');

const OF_SHOP = ['name', 'shop', 'shop_phone', 'shop_address', 'shop_hours', 'plate'] as const;
export type Placeholder = (typeof OF_SHOP)[number] | 'link' | 'stop';
/** The address that a text must have: of the share page, or of the page that ends reminders. */
export const linkOfPurpose = (purpose: TemplatePurpose): 'link' | 'stop' => (purpose.startsWith('reminder') ? 'stop' : 'link');
/** What a text may name in double braces, as in {{link}}. */
export const placesOfPurpose = (purpose: TemplatePurpose): readonly Placeholder[] => [...OF_SHOP, linkOfPurpose(purpose)];

/** The bytes of Korean text messages in EUC-KR: SMS, and LMS for longer ones. */
export const SMS_BYTES = { short: 90, max: 2_000 } as const;

/** As phone companies count: an ASCII character is one byte, every other one two. */
export const smsBytes = (text: string): number => [...text].reduce((bytes, character) => bytes + (character < '\u0080' ? 1 : 2), 0);
export const isLongText = (text: string): boolean => smsBytes(text) > SMS_BYTES.short;
