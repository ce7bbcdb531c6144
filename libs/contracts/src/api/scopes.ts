/** What an operation of the public API requires of a key. */
export const SCOPES = ['report:read', 'report:write', 'report:publish', 'report:discard'] as const;
export type Scope = (typeof SCOPES)[number];

const EVERY_SCOPE = 'report:*';

/** What a key can be granted. */
export const KEY_SCOPES = [...SCOPES, EVERY_SCOPE] as const;

export const allows = (granted: readonly string[], required: Scope): boolean => granted.includes(required) || granted.includes(EVERY_SCOPE);
