import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { walks } from './testing/walks.fixture';

/** Passkeys belong to a name, and an IP address has none. */
describeWithBrowser('passkeys in a browser', () => {
  const { newVisitor, owner, newOwner, expectErrors, checkPage } = walks(() => ({}), 'localhost');

  /** A device with a fingerprint reader, whose holder is there and verified. */
  async function withDevice({
    tab,
  }: Visitor): Promise<{ readonly credentials: () => Promise<number>; readonly holderIs: (known: boolean) => Promise<unknown> }> {
    const devtools = await tab.context().newCDPSession(tab);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return {
      credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
      holderIs: (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    };
  }
  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');

  it('a member adds one, signs in with it without a password, renames and removes it', async () => {
    expectErrors(422, 401);
    const visitor = await owner('Pass');
    const device = await withDevice(visitor);
    await visitor.link('Account').click();
    await visitor.tab.getByText('No passkey yet', { exact: true }).waitFor();
    await visitor.button('Add a passkey').click();
    await visitor.fill('Name of the passkey', 'Office computer');
    await dialog(visitor).getByLabel('Your password', { exact: true }).fill('not this one');
    await checkPage(visitor, 'passkey-add');
    await dialog(visitor).getByRole('button', { name: 'Continue', exact: true }).click();
    await dialog(visitor).getByText('The password is wrong.', { exact: true }).waitFor();
    await dialog(visitor).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog(visitor).getByRole('button', { name: 'Continue', exact: true }).click();
    await visitor.tab.getByText('Office computer', { exact: true }).waitFor();
    await visitor.tab.getByText('Not used yet', { exact: true }).waitFor();
    await checkPage(visitor, 'passkeys');
    await visitor.signOut();
    await checkPage(visitor, 'sign-in-passkey');
    await device.holderIs(false);
    await visitor.button('Sign in with a passkey').click();
    await visitor.tab.getByText('The browser did not give a passkey. Try again.', { exact: true }).waitFor();
    await device.holderIs(true);
    // The sign-in was at the address of the account.
    await visitor.button('Sign in with a passkey').click();
    await visitor.tab.getByText('Last used', { exact: false }).waitFor();
    await visitor.button('Rename Office computer').click();
    await visitor.fill('Name of the passkey', 'Desk');
    await dialog(visitor).getByRole('button', { name: 'Save', exact: true }).click();
    await visitor.button('Remove Desk').click();
    await dialog(visitor).getByRole('button', { name: 'Remove', exact: true }).click();
    await visitor.tab.getByText('No passkey yet', { exact: true }).waitFor();
    // The device still has it.
    await becomes(device.credentials, 1);
    await visitor.signOut();
    await visitor.button('Sign in with a passkey').click();
    await visitor.tab.getByText('This passkey does not sign in here. Try another one, or use your password.', { exact: true }).waitFor();
  });

  it('a device that no member registered has none to give, in Korean on a phone', async () => {
    const email = await newOwner('Nokey');
    const visitor = await newVisitor('ko-KR');
    await visitor.tab.setViewportSize({ width: 390, height: 844 });
    await withDevice(visitor);
    await visitor.open('/');
    await visitor.button('패스키로 로그인').click();
    await visitor.tab.getByText('브라우저에서 패스키를 받지 못했습니다. 다시 시도해 주세요.', { exact: true }).waitFor();
    await checkPage(visitor, 'sign-in-passkey-ko');
    await visitor.tab.getByLabel('이메일', { exact: true }).fill(email);
    await visitor.tab.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
    await visitor.button('로그인').click();
    await visitor.tab.getByRole('heading', { name: '프로젝트' }).waitFor();
  });
});
