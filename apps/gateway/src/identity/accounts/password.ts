import { hash, verify } from '@node-rs/argon2';

/** Argon2id. The constant of the package is an ambient enum, which swc cannot inline. */
const ARGON2ID = 2;
/** OWASP's recommendation: 19 MiB, two passes. 16 ms of a core here, in the threads of libuv. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Systems compose the same letters differently. */
const composed = (password: string): string => password.normalize('NFC');

/** A PHC string: it contains its parameters, so the cost can change later. */
export const hashPassword = (password: string): Promise<string> => hash(composed(password), COST);

let placeholder: Promise<string> | undefined;

/** Takes the same time for users who do not exist or have no password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  placeholder ??= hashPassword('placeholder');
  const known = stored?.startsWith('$argon2id$') ? stored : null;
  const matches = await verify(known ?? (await placeholder), composed(password));
  return known !== null && matches;
}
