import { describeWithBrowser, startMailServer } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { walks } from './testing/walks.fixture';

const NEXT = 'another battery staple';

describeWithBrowser('mail about accounts, in a browser', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;

  beforeAll(async () => {
    mail = await startMailServer();
  });
  afterAll(() => mail?.stop());

  const { newVisitor, expectErrors, checkPage, newOwner, owner } = walks(() => ({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mail.port),
    SMTP_TLS: 'none',
    SMTP_FROM: 'Tires <mail@shop.example>',
  }));

  const linkIn = (text: string): string => /http:\/\/\S+/.exec(text)![0];

  it.each([
    [
      'en',
      'Forgot your password?',
      'E-mail',
      'Send the link',
      'If there is an account',
      'New password',
      'Set password',
      'Your password was changed',
      'Go to sign-in',
    ],
    [
      'ko',
      '비밀번호를 잊으셨나요?',
      '이메일',
      '링크 받기',
      '이 주소의 계정이 있으면',
      '새 비밀번호',
      '비밀번호 저장',
      '비밀번호를 바꾸었고',
      '로그인 화면으로',
    ],
  ])('a forgotten password is replaced by the link of a mail (%s)', async (locale, forgotten, email, send, sent, next, set, done, back) => {
    const address = await newOwner(`Rosa${locale}`);
    const visitor = await newVisitor(locale === 'ko' ? 'ko-KR' : 'en-GB');
    await visitor.open('/');
    await visitor.link(forgotten).click();
    await visitor.fill(email, address);
    await checkPage(visitor, `forgotten-password-${locale}`);
    await visitor.button(send).click();
    await visitor.tab.getByRole('status').filter({ hasText: sent }).waitFor();
    await checkPage(visitor, `forgotten-password-sent-${locale}`);
    const text = (await mail.mailsTo(address))[0]!.text;
    await visitor.tab.goto(linkIn(text));
    await visitor.fill(next, NEXT);
    expect(visitor.tab.url()).not.toContain('#');
    await checkPage(visitor, `reset-password-${locale}`);
    await visitor.button(set).click();
    await visitor.tab.getByRole('status').filter({ hasText: done }).waitFor();
    await visitor.link(back).click();
    if (locale === 'ko') return;
    await visitor.signIn(address, NEXT);
    await visitor.heading('Projects').waitFor();
    // The link works once.
    expectErrors(404);
    const other = await newVisitor();
    await other.tab.goto(linkIn(text));
    await other.fill(next, PASSWORD);
    await other.button(set).click();
    await other.tab.getByText('This link does not exist').waitFor();
    await checkPage(other, 'reset-password-gone');
  });

  it('an invited person gets the link by e-mail, and the inviter sees that', async () => {
    const host = await owner('Hanna');
    await host.link('Members').click();
    await host.button('Invite').click();
    await host.fill('E-mail address of the person', 'igor@shop.example');
    await host.tab.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await host.tab.getByText('igor@shop.example gets the link by e-mail.').waitFor();
    await checkPage(host, 'invitation-mailed');
    const text = (await mail.mailsTo('igor@shop.example'))[0]!.text;
    const guest = await newVisitor();
    await guest.join(linkIn(text), 'Igor', PASSWORD);
  });
});
