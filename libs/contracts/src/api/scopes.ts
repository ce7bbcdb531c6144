/** The scopes that operations of the public API require of a key. */
export const SCOPES = ['report:read', 'report:write', 'report:publish', 'report:discard'] as const;
export type Scope = (typeof SCOPES)[number];

const EVERY_SCOPE = 'report:*';

/** What an operation may require: one scope, or all of them. */
export type RequiredScope = Scope | typeof EVERY_SCOPE;

/** The scopes that a key can have. */
export const KEY_SCOPES = [...SCOPES, EVERY_SCOPE] as const;

export const allows = (granted: readonly string[], required: RequiredScope): boolean =>
  granted.includes(EVERY_SCOPE) ||
  (required === EVERY_SCOPE ? SCOPES.every((scope) => granted.includes(scope)) : granted.includes(required));
