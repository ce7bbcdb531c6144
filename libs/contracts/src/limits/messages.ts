/** The limits of a text that a project writes for its customers. */
export const TEMPLATE_LIMITS = { subject: 100, text: 1_000 } as const;

/** What a text may name in double braces, as in {{link}}. */
export const PLACEHOLDERS = ['name', 'shop', 'shop_phone', 'plate', 'link'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
