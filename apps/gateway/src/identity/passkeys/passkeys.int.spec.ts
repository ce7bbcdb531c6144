import { AuditLog, ListedPasskey, PasskeyList, PasskeyOptions, RecoveryCodes, TotpSetup } from '@tire/contracts/console';
import { PASSKEYS_MAX } from '@tire/contracts/limits';
import { newId } from '@tire/kernel';
import { testClock, type TestClock } from '@tire/test-harness';
import { codeAt } from '../../domain/totp';
import { Authenticator } from '../../testing/authenticator';
import { Browser, newOrganization, PASSWORD } from '../../testing/browser';
import { secretBytes } from '../../testing/codes';
import { startGateway } from '../../testing/gateway';

const STEP_MS = 30_000;
const FIVE_MINUTES_MS = 5 * 60_000;

describe('passkeys', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let email: string;
  let organizationId: string;
  let addresses = 0;

  beforeAll(async () => {
    clock = testClock(new Date());
    gateway = await startGateway({ clock });
  });
  afterAll(() => gateway?.stop());

  beforeEach(async () => {
    ({ email, organizationId } = await newOrganization(gateway.databaseUrl));
    clock.advanceMs(10 * STEP_MS);
  });

  const browser = () => new Browser(gateway.origin, `198.51.100.${(addresses += 1)}`);
  const signedIn = async (of = email) => {
    const one = browser();
    await one.signIn(of);
    return one;
  };
  const optionsFor = async (one: Browser, password = PASSWORD) => one.call('POST', '/account/passkeys/options', { body: { password } });
  const optionsIn = ({ json }: { json: unknown }) => PasskeyOptions.parse(json).options;
  const add = async (one: Browser, device: Authenticator, name = 'Phone') => {
    const response = device.register(optionsIn(await optionsFor(one)));
    return one.call('POST', '/account/passkeys', { body: { name, response } });
  };
  const registered = async (device: Authenticator, name = 'Phone') => {
    const one = await signedIn();
    const { status, json } = await add(one, device, name);
    expect(status).toBe(201);
    return { one, passkey: ListedPasskey.parse(json) };
  };
  const challenge = async (one: Browser, is_second_factor = false) =>
    one.call('POST', '/session/passkey/options', { body: { is_second_factor } });
  const answer = (one: Browser, response: object) => one.call('POST', '/session/passkey', { body: { response } });
  const list = async (one: Browser) => PasskeyList.parse((await one.call('GET', '/account/passkeys')).json).passkeys;
  const auditLog = async (one: Browser) =>
    AuditLog.parse((await one.call('GET', `/organizations/${organizationId}/audit-log?limit=10`)).json).entries.map(
      ({ action, details }) => [action, details] as const,
    );
  const WRONG = { code: 'unauthorized' };

  it('are registered with the password, named, renamed and removed, with entries in the audit log', async () => {
    const device = new Authenticator(gateway.origin);
    const { one, passkey } = await registered(device);
    expect(passkey).toMatchObject({ name: 'Phone', is_synced: false, last_used_at: null });
    expect(await list(one)).toEqual([passkey]);
    const path = `/account/passkeys/${passkey.passkey_id}`;
    expect((await one.call('PATCH', path, { body: { name: 'Old phone' } })).status).toBe(204);
    expect((await list(one))[0]).toMatchObject({ name: 'Old phone' });
    expect((await one.call('DELETE', path)).status).toBe(204);
    expect(await list(one)).toEqual([]);
    expect((await one.call('DELETE', path)).error?.code).toBe('not_found');
    expect((await auditLog(one)).slice(0, 3)).toEqual([
      ['passkey.removed', { name: 'Old phone' }],
      ['passkey.renamed', { from: 'Phone', to: 'Old phone' }],
      ['passkey.added', { name: 'Phone' }],
    ]);
    const visitor = browser();
    expect((await answer(visitor, device.use(optionsIn(await challenge(visitor))))).error).toMatchObject(WRONG);
  });

  it('are not registered with a wrong password, twice, by another session, too late, or beyond their number', async () => {
    const one = await signedIn();
    expect((await optionsFor(one, 'wrong')).error).toMatchObject({ code: 'validation_error', param: 'password' });
    const device = new Authenticator(gateway.origin);
    const options = optionsIn(await optionsFor(one));
    const post = (by: Browser, response: object) => by.call('POST', '/account/passkeys', { body: { name: 'Key', response } });
    expect((await post(await signedIn(), device.register(options))).error).toMatchObject({ param: 'response' });
    // The challenge is used up.
    expect((await post(one, device.register(options))).error).toMatchObject({ param: 'response' });
    const late = optionsIn(await optionsFor(one));
    clock.advanceMs(FIVE_MINUTES_MS + 1);
    expect((await post(one, device.register(late))).error).toMatchObject({ param: 'response' });
    for (const nonsense of [{}, { response: 'x' }, { response: { clientDataJSON: '%%%' } }])
      expect((await post(one, nonsense)).error).toMatchObject({ param: 'response' });
    expect((await add(one, device)).status).toBe(201);
    expect((await add(one, device)).error?.code).toBe('conflict');
    for (let index = 2; index < PASSKEYS_MAX; index += 1) expect((await add(one, new Authenticator(gateway.origin))).status).toBe(201);
    const last = [optionsIn(await optionsFor(one)), optionsIn(await optionsFor(one))];
    const both = await Promise.all(last.map((begun) => post(one, new Authenticator(gateway.origin).register(begun))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await optionsFor(one)).error?.code).toBe('conflict');
  });

  it('sign in without a password, once for each challenge', async () => {
    const device = new Authenticator(gateway.origin, { counts: true });
    const { one } = await registered(device);
    const visitor = browser();
    const used = device.use(optionsIn(await challenge(visitor)));
    expect((await answer(visitor, used)).json).toEqual({ status: 'signed_in' });
    expect((await visitor.refresh()).user.email).toBe(email);
    expect((await list(one))[0]?.last_used_at).toBe(clock.now().toISOString());
    expect((await auditLog(one))[0]).toEqual(['session.started', { with: 'passkey' }]);
    expect((await answer(browser(), used)).error).toMatchObject(WRONG);
  });

  it.each<[string, { verifies?: boolean; counts?: boolean }, (device: Authenticator, options: object) => object, boolean]>([
    ['did not verify its holder', { verifies: false }, (device, options) => device.use({ ...options }), true],
    ['was used on another site', {}, (device, options) => device.use({ ...options }, { origin: 'https://evil.example' }), true],
    [
      'counts less than before, so it was copied',
      { counts: true },
      (device, options) => Object.assign(device, { counter: 0 }).use({ ...options }),
      true,
    ],
    ['is not known', {}, (device, options) => device.use({ ...options }, { id: Buffer.from(newId()).toString('base64url') }), false],
    ['signed another challenge', {}, (device) => device.use({ challenge: 'AAAA' }), false],
  ])('do not sign in where one %s', async (_, holding, use, isRecorded) => {
    const device = new Authenticator(gateway.origin, holding);
    device.counter = 5;
    const { one } = await registered(device);
    const visitor = browser();
    expect((await answer(visitor, use(device, optionsIn(await challenge(visitor))))).error).toMatchObject(WRONG);
    const [latest] = await auditLog(one);
    expect(latest).toEqual(isRecorded ? ['session.refused', { reason: 'passkey' }] : ['passkey.added', { name: 'Phone' }]);
  });

  it('do not sign in after five minutes', async () => {
    const device = new Authenticator(gateway.origin);
    await registered(device);
    const visitor = browser();
    const options = optionsIn(await challenge(visitor));
    clock.advanceMs(FIVE_MINUTES_MS + 1);
    expect((await answer(visitor, device.use(options))).error).toMatchObject(WRONG);
  });

  /** The account with one-time codes on, and a browser that sent the password. */
  async function afterPassword(one: Browser) {
    const { secret } = TotpSetup.parse((await one.call('POST', '/account/totp', { body: { password: PASSWORD } })).json);
    const code = codeAt(secretBytes(secret), Math.floor(clock.now().getTime() / STEP_MS));
    RecoveryCodes.parse((await one.call('POST', '/account/totp/confirm', { body: { code } })).json);
    const visitor = browser();
    expect((await visitor.call('POST', '/session', { body: { email, password: PASSWORD } })).json).toEqual({ status: 'totp_required' });
    return visitor;
  }

  it('complete a sign-in in place of a one-time code, also where they do not verify their holder', async () => {
    const device = new Authenticator(gateway.origin, { verifies: false });
    const { one } = await registered(device);
    const visitor = await afterPassword(one);
    const options = optionsIn(await challenge(visitor, true));
    expect(options['allowCredentials']).toMatchObject([{ id: device.id }]);
    expect((await answer(visitor, device.use(options))).json).toEqual({ status: 'signed_in' });
    expect((await visitor.refresh()).user.email).toBe(email);
    expect((await auditLog(one))[0]).toEqual(['session.started', { with: 'passkey' }]);
  });

  it('replace password and code together where they verify their holder', async () => {
    const device = new Authenticator(gateway.origin);
    const { one } = await registered(device);
    await afterPassword(one);
    const visitor = browser();
    expect((await answer(visitor, device.use(optionsIn(await challenge(visitor))))).json).toEqual({ status: 'signed_in' });
  });

  it('of another person, or of another sign-in, complete none', async () => {
    const stranger = new Authenticator(gateway.origin);
    const made = await newOrganization(gateway.databaseUrl);
    expect((await add(await signedIn(made.email), stranger)).status).toBe(201);
    const device = new Authenticator(gateway.origin);
    const { one } = await registered(device);
    expect((await challenge(browser(), true)).error).toMatchObject({ code: 'unauthorized', param: 'session' });
    const visitor = await afterPassword(one);
    expect((await answer(visitor, stranger.use(optionsIn(await challenge(visitor, true))))).error).toMatchObject(WRONG);
    const other = browser();
    await other.call('POST', '/session', { body: { email, password: PASSWORD } });
    expect((await answer(other, device.use(optionsIn(await challenge(visitor, true))))).error).toMatchObject(WRONG);
    expect((await auditLog(one))[0]).toEqual(['session.refused', { reason: 'passkey' }]);
  });

  it('are not those of another person', async () => {
    const { passkey } = await registered(new Authenticator(gateway.origin));
    const stranger = await signedIn((await newOrganization(gateway.databaseUrl)).email);
    expect(await list(stranger)).toEqual([]);
    const path = `/account/passkeys/${passkey.passkey_id}`;
    expect((await stranger.call('PATCH', path, { body: { name: 'Mine' } })).error?.code).toBe('not_found');
    expect((await stranger.call('DELETE', path)).error?.code).toBe('not_found');
  });

  it('give one address no more challenges, and no more wrong answers, than people need', async () => {
    const many = browser();
    for (let index = 0; index < 30; index += 1) expect((await challenge(many)).status).toBe(200);
    expect((await challenge(many)).error?.code).toBe('rate_limited');
    const wrong = browser();
    const device = new Authenticator(gateway.origin);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push((await answer(wrong, device.use({ challenge: 'AAAA' }))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});
