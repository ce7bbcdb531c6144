import { scryptSync } from 'node:crypto';
import { hashPassword } from './password';

it('a password hash holds all that is needed to check it, and differs each time', async () => {
  const [first, second] = await Promise.all([hashPassword('비밀번호 1'), hashPassword('비밀번호 1')]);
  expect(first).not.toBe(second);
  const [name, N, r, p, salt, hash] = first.split('$');
  expect([name, N, r, p]).toEqual(['scrypt', '131072', '8', '1']);
  const again = scryptSync('비밀번호 1', Buffer.from(salt!, 'base64'), 32, { N: Number(N), r: Number(r), p: Number(p), maxmem: 2 ** 28 });
  expect(again.toString('base64')).toBe(hash);
});
