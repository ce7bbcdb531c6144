/** The permissions of a key. */
export const SCOPES = ['report:read', 'report:write', 'report:publish', 'report:discard'] as const;
export type Scope = (typeof SCOPES)[number];

export const EVERY_SCOPE = 'report:*';

export const GRANTABLE_SCOPES: readonly string[] = [...SCOPES, EVERY_SCOPE];

export const allows = (granted: readonly string[], needed: Scope): boolean => granted.includes(needed) || granted.includes(EVERY_SCOPE);
