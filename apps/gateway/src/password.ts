import { randomBytes, scrypt } from 'node:crypto';

/** OWASP's recommendation for scrypt: 2^17, 8, 1; 128 MiB and about a third of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY_BYTES = 192 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `scrypt$N$r$p$salt$hash`: whoever checks it later needs nothing else, and the cost can grow. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same letters typed on another system may be composed differently.
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
