import { hash, verify } from '@node-rs/argon2';

/** Argon2id, of which the package's own types make a constant that other compilers cannot inline. */
const ARGON2ID = 2;
/** OWASP's recommendation: 19 MiB, twice; 16 ms of a core here, in libuv's threads. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The same letters typed on another system may be composed differently. */
const composed = (password: string): string => password.normalize('NFC');

/** A PHC string: whoever checks it later needs nothing else, and the cost can grow. */
export const hashPassword = (password: string): Promise<string> => hash(composed(password), COST);

let nobodys: Promise<string> | undefined;

/** Takes as long for who does not exist, or has no password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  nobodys ??= hashPassword('of nobody');
  const known = stored?.startsWith('$argon2id$') ? stored : null;
  const matches = await verify(known ?? (await nobodys), composed(password));
  return known !== null && matches;
}
