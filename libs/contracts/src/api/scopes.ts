/** The scopes that operations of the public API require of a key. */
export const SCOPES = ['report:read', 'report:write', 'report:publish', 'report:discard'] as const;
export type Scope = (typeof SCOPES)[number];

const EVERY_SCOPE = 'report:*';

/** The scopes that a key can have. */
export const KEY_SCOPES = [...SCOPES, EVERY_SCOPE] as const;

export const allows = (granted: readonly string[], required: Scope): boolean => granted.includes(required) || granted.includes(EVERY_SCOPE);
