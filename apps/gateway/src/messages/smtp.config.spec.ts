import { z } from 'zod';
import { smtpConfig, smtpFaults, smtpSettings } from './smtp.config';

const schema = z.object(smtpConfig);
const HOST = { SMTP_HOST: 'mail.shop.example', SMTP_FROM: 'Shop <mail@shop.example>' };

describe('the settings of SMTP', () => {
  it('are off without a host, and have TLS by default', () => {
    expect(smtpSettings(schema.parse({}))).toBeNull();
    expect(smtpSettings(schema.parse(HOST))).toMatchObject({ host: 'mail.shop.example', port: 587, tls: 'starttls', user: null });
  });

  it.each([
    ['nothing', {}, []],
    ['a host and a sender', HOST, []],
    ['a sender without a host', { SMTP_FROM: HOST.SMTP_FROM }, ['SMTP_HOST']],
    ['a host without a sender', { SMTP_HOST: HOST.SMTP_HOST }, ['SMTP_FROM']],
    ['a user without a password', { ...HOST, SMTP_USER: 'u' }, ['SMTP_PASSWORD']],
    ['a password without a user', { ...HOST, SMTP_PASSWORD: 'p' }, ['SMTP_PASSWORD']],
    ['no TLS to another machine', { ...HOST, SMTP_TLS: 'none' }, ['SMTP_TLS']],
    ['no TLS on this machine', { ...HOST, SMTP_HOST: '127.0.0.1', SMTP_TLS: 'none' }, []],
    ['no TLS on this machine, IPv6', { ...HOST, SMTP_HOST: '::1', SMTP_TLS: 'none' }, []],
    ['no TLS to a name that begins like this machine', { ...HOST, SMTP_HOST: '127.0.0.1.evil.example', SMTP_TLS: 'none' }, ['SMTP_TLS']],
  ])('%s', (_, given, variables) => {
    expect(smtpFaults(schema.parse(given)).map(({ variable }) => variable)).toEqual(variables);
  });

  it.each(['mail@shop.example', 'Shop <mail@shop.example>', '타이어 <mail@shop.example>'])('%s is a sender', (from) => {
    expect(schema.safeParse({ ...HOST, SMTP_FROM: from }).success).toBe(true);
  });

  it.each(['', 'Shop', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'Shop <a@b>\nX: y', '"Shop" <a@b>'])('%j is no sender', (from) => {
    expect(schema.safeParse({ ...HOST, SMTP_FROM: from }).success).toBe(false);
  });
});
