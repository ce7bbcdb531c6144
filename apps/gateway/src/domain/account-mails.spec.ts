import { alertMail, ALERTS, failedExportMail, invitationMail, passwordResetMail, type AlertKind } from './account-mails';

const AT = new Date('2026-11-27T15:30:59Z');
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const FACTS = { at: AT, address: '192.0.2.1', userAgent: WINDOWS, accountPage: 'https://shop.example/console/account' };

describe('mails about accounts', () => {
  it('an invitation holds the link in both languages, and a name that makes no link', () => {
    const link = 'https://shop.example/console/accept-invitation#token';
    const { subject, text } = invitationMail({
      organization: 'Win at evil.example\r\nBcc: a@b.example',
      role: 'support',
      link,
      expiresAt: AT,
    });
    expect(subject).toBe('[타이어 점검] 초대 · Invitation');
    expect(text.split(link)).toHaveLength(3);
    expect(text).toContain('고객 지원');
    expect(text).toContain('2026-11-28 00:30 KST (2026-11-27 15:30 UTC)');
    expect(text).not.toContain('evil.example');
    expect(text).not.toContain('\nBcc');
  });

  it('a reset says how long its link works', () => {
    const { text } = passwordResetMail({ link: 'https://shop.example/#t', minutes: 30 });
    expect(text).toContain('30분 동안 한 번만');
    expect(text).toContain('for 30 minutes');
  });

  it('a failed export names the file and the page, and a project whose name makes no link', () => {
    const page = 'https://shop.example/console/organizations/1/projects/2/exports';
    const { text } = failedExportMail({ project: 'Win at evil.example', file: 'reports-daily-2026-11-27-0000abcd.csv', page });
    for (const part of [page, 'reports-daily-2026-11-27-0000abcd.csv']) expect(text.split(part)).toHaveLength(3);
    expect(text).not.toContain('evil.example');
  });

  it.each(Object.keys(ALERTS) as AlertKind[])('%s says when, where and with what, and nothing that the client wrote', (kind) => {
    const { subject, text } = alertMail(kind, { ...FACTS, name: 'server' });
    expect(subject).toContain(ALERTS[kind][1]);
    for (const fact of ['2026-11-28 00:30 KST', 'Chrome, Windows', '192.0.2.1', FACTS.accountPage, 'server']) expect(text).toContain(fact);
    const forged = alertMail(kind, { ...FACTS, userAgent: 'Call us at http://evil.example' });
    expect(forged.text).not.toContain('evil');
    expect(forged.text).toContain('알 수 없음');
  });
});
