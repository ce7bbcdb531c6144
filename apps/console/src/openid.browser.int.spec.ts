import { becomes, describeWithBrowser, startIssuer, type Visitor } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { walks } from './testing/walks.fixture';

describeWithBrowser('a provider of OpenID Connect in a browser', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;

  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer?.stop());

  const { newVisitor, expectErrors, checkPage, newOwner, owner } = walks(() => ({
    CONSOLE_OIDC_ISSUER: issuer.origin,
    CONSOLE_OIDC_CLIENT_ID: issuer.client.id,
    CONSOLE_OIDC_CLIENT_SECRET: issuer.client.secret,
    CONSOLE_OIDC_NAME: 'Shop accounts',
  }));

  const accountOf = (email: string) => ({ sub: `subject of ${email}`, email, email_verified: true });
  const account = async (visitor: Visitor) => {
    await visitor.link('Account').click();
    await visitor.heading('Sign-in with a provider').waitFor();
  };

  it('an invited person joins with a provider account, without a password, and signs in again', async () => {
    const host = await owner('Ada');
    const guest = await newVisitor();
    issuer.admit(accountOf('berta@shop.example'));
    await guest.tab.goto(await host.invite('berta@shop.example', 'Developer'));
    await guest.button('Join with Shop accounts').click();
    await guest.heading('Projects').waitFor();
    await account(guest);
    await guest.tab.getByText('Connected. You can sign in with Shop accounts.').waitFor();
    await becomes(async () => {
      const headings = await guest.tab.getByRole('heading', { level: 2 }).allInnerTexts();
      return [headings.includes('Sign-in with a provider'), headings.includes('One-time codes')];
    }, [true, false]);
    await checkPage(guest, 'account-of-a-provider');
    await guest.signOut();
    await guest.button('Sign in with Shop accounts').click();
    await guest.heading('Projects').waitFor();
  });

  it('a provider account sets a password after confirmation by the provider', async () => {
    const [host, email] = [await owner('Dana'), 'emil@shop.example'];
    issuer.admit(accountOf(email));
    const guest = await newVisitor();
    await guest.tab.goto(await host.invite(email, 'Support'));
    await guest.button('Join with Shop accounts').click();
    await guest.heading('Projects').waitFor();
    await account(guest);
    issuer.admit({ ...accountOf(email), sub: 'another subject' });
    await guest.button('Confirm at Shop accounts').click();
    await guest.tab.getByText(/^Your identity was not confirmed\./).waitFor();
    issuer.admit(accountOf(email));
    await guest.button('Confirm at Shop accounts').click();
    await guest.fill('New password', PASSWORD);
    await checkPage(guest, 'first-password');
    await guest.button('Set password').click();
    await guest.tab.getByText('Your password was changed. All your other sessions have ended.').waitFor();
    await guest.heading('One-time codes').waitFor();
    // A list request may be pending when the session ends.
    expectErrors(401);
    await guest.signOut();
    await guest.signIn(email, PASSWORD);
    await guest.heading('Projects').waitFor();
  });

  it('a provider account is refused at sign-in until it is connected to the account with a password', async () => {
    const email = await newOwner('Carla');
    issuer.admit(accountOf(email));
    const visitor = await newVisitor();
    await visitor.open('/');
    await visitor.button('Sign in with Shop accounts').click();
    await visitor.tab.getByRole('alert').filter({ hasText: 'No account here is connected to that one.' }).waitFor();
    await visitor.signIn(email, PASSWORD);
    await visitor.heading('Projects').waitFor();
    await account(visitor);
    await visitor.button('Connect').click();
    await visitor.fill('Your password', PASSWORD);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
    await visitor.tab.getByText('Connected. You can sign in with Shop accounts.').waitFor();
    await visitor.signOut();
    await visitor.button('Sign in with Shop accounts').click();
    await visitor.heading('Projects').waitFor();
  });
});
