import { hashPassword, isPassword } from './password';

describe('passwords', () => {
  it('are stored as argon2id with a random salt, and match in every Unicode normalization form', async () => {
    const [first, second] = await Promise.all([hashPassword('비밀번호 1'), hashPassword('비밀번호 1')]);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await isPassword('비밀번호 1'.normalize('NFD'), first)).toBe(true);
    expect(await isPassword('비밀번호 2', first)).toBe(false);
  });

  it.each([null, '', 'scrypt$131072$8$1$AAAA$BBBB'])('no password matches the stored value %p', async (stored) => {
    expect(await isPassword('of nobody', stored)).toBe(false);
  });

  it('do not block the event loop while they are checked', async () => {
    const stored = await hashPassword('x');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await Promise.all(Array.from({ length: 16 }, () => isPassword('x', stored)));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
