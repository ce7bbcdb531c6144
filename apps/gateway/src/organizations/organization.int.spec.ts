import { AuditLog, CurrentSession, InvitationList, IssuedInvitation, MemberList, type Role } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { eventually, testClock, type TestClock } from '@tire/test-harness';
import { Browser, invited, newOrganization, PASSWORD } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const DAY_MS = 86_400_000;
const ROLES = ['administrator', 'developer', 'support'] as const;

describe('an organization and its members', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let organizationId: string;
  let owner: Browser;
  let ownerEmail: string;
  const members = {} as Record<(typeof ROLES)[number], { browser: Browser; session: CurrentSession }>;
  let addresses = 0;
  const browser = () => new Browser(gateway.origin, `203.0.113.${(addresses += 1)}`);
  const address = () => `guest-${newId()}@shop.example`;

  beforeAll(async () => {
    clock = testClock(new Date());
    gateway = await startGateway({ clock });
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    ownerEmail = made.email;
    owner = browser();
    await owner.signIn(ownerEmail);
    for (const role of ROLES) {
      const guest = browser();
      members[role] = { browser: guest, session: await invited(owner, guest, organizationId, role, address()) };
    }
  });
  afterAll(() => gateway?.stop());

  const at = (path = '') => `/organizations/${organizationId}${path}`;
  const invite = (by: Browser, email: string, role: Role) => by.call('POST', at('/invitations'), { body: { email, role } });
  const tokenOf = ({ json }: { json: unknown }) => IssuedInvitation.parse(json).link.split('#')[1]!;
  const accept = (by: Browser, token: string, password = PASSWORD) => by.call('POST', '/invitations/accept', { body: { token, password } });

  describe('an invitation', () => {
    it('shows its organization and role to the holder of the link, and creates one member', async () => {
      const email = address();
      const issued = await invite(owner, email, 'developer');
      expect(IssuedInvitation.parse(issued.json).link).toMatch(`${gateway.origin}/console/accept-invitation#`);
      const token = tokenOf(issued);
      const offer = await browser().call('POST', '/invitations/look-up', { body: { token } });
      expect(offer.json).toMatchObject({ organization_name: 'Shop', email, role: 'developer' });
      const guest = browser();
      expect((await accept(guest, token)).json).toEqual({ status: 'signed_in' });
      const { memberships } = await guest.refresh();
      expect(memberships).toEqual([expect.objectContaining({ organization_id: organizationId, role: 'developer' })]);
      expect((await accept(browser(), token)).error?.code).toBe('not_found');
      expect((await invite(owner, email, 'support')).error?.code).toBe('conflict');
    });

    it('used twice at once creates one member', async () => {
      const token = tokenOf(await invite(owner, address(), 'support'));
      const answers = await Promise.all([accept(browser(), token), accept(browser(), token)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('is invalid after a week, after it is revoked, and after a newer one for the same address', async () => {
      const [old, revoked, replaced] = [address(), address(), address()];
      const oldToken = tokenOf(await invite(owner, old, 'support'));
      clock.advanceMs(7 * DAY_MS);
      await owner.signIn(ownerEmail);
      const answer = await invite(owner, revoked, 'support');
      const { invitation } = IssuedInvitation.parse(answer.json);
      expect((await owner.call('DELETE', at(`/invitations/${invitation.invitation_id}`))).status).toBe(204);
      expect((await owner.call('DELETE', at(`/invitations/${invitation.invitation_id}`))).status).toBe(404);
      const first = tokenOf(await invite(owner, replaced, 'support'));
      const second = tokenOf(await invite(owner, replaced, 'developer'));
      for (const token of [oldToken, tokenOf(answer), first, 'x'.repeat(43)]) {
        expect((await browser().call('POST', '/invitations/look-up', { body: { token } })).status).toBe(404);
        expect((await accept(browser(), token)).status).toBe(404);
      }
      const { invitations } = InvitationList.parse((await owner.call('GET', at('/invitations'))).json);
      expect(invitations.map(({ email, role }) => [email, role])).toEqual([[replaced, 'developer']]);
      expect((await accept(browser(), second)).status).toBe(200);
    });

    it('for an address with an account needs the password of that account', async () => {
      const other = await newOrganization(gateway.databaseUrl);
      const token = tokenOf(await invite(owner, other.email, 'support'));
      expect((await accept(browser(), token, 'a new password of mine')).error?.code).toBe('unauthorized');
      const guest = browser();
      expect((await accept(guest, token)).status).toBe(200);
      expect((await guest.refresh()).memberships).toHaveLength(2);
      // An attempt to find out whether the account exists is in an audit log that the owner of the account can read.
      const log = () => guest.call('GET', `/organizations/${other.organizationId}/audit-log`);
      const isSeen = async () => AuditLog.parse((await log()).json).entries.some(({ action }) => action === 'session.refused');
      await eventually(isSeen, { message: 'The refusal is not in the audit log' });
    });

    it('does not reveal to the holder of the link whether the address has an account', async () => {
      const known = (await newOrganization(gateway.databaseUrl)).email;
      const seen = await Promise.all(
        [known, address()].map(async (email) => {
          const issued = await invite(owner, email, 'support');
          const token = tokenOf(issued);
          const offer = await browser().call('POST', '/invitations/look-up', { body: { token } });
          const refused = await accept(browser(), token, 'short');
          return [issued, offer, refused].map(({ status, text }) => [
            status,
            text.replaceAll(email, '').replaceAll(/"(link|invitation_id|created_at|expires_at)":"[^"]*"/g, ''),
          ]);
        }),
      );
      expect(seen[0]).toEqual(seen[1]);
    });

    it('refuses a short password and an invalid address', async () => {
      const token = tokenOf(await invite(owner, address(), 'support'));
      expect((await accept(browser(), token, 'short')).error).toMatchObject({ code: 'validation_error', param: 'password' });
      expect((await invite(owner, 'no address', 'support')).error?.param).toBe('email');
    });

    it('by an administrator cannot create an owner', async () => {
      const by = await memberOf('administrator');
      expect((await invite(by, address(), 'owner')).error?.code).toBe('forbidden');
      expect((await invite(by, address(), 'administrator')).status).toBe(201);
    });
  });

  /** A new session: the tests above have advanced the clock. */
  const memberOf = async (role: (typeof ROLES)[number]) => {
    const one = browser();
    await one.signIn(members[role].session.user.email);
    return one;
  };
  it('every request of another organization gets 404', async () => {
    const stranger = browser();
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    const user = members.support.session.user.user_id;
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['GET', '/members'],
      ['PATCH', `/members/${user}`, { role: 'owner' }],
      ['DELETE', `/members/${user}`],
      ['GET', '/invitations'],
      ['POST', '/invitations', { email: address(), role: 'owner' }],
      ['DELETE', `/invitations/${newId()}`],
      ['GET', '/audit-log'],
      ['GET', '/projects'],
      ['POST', '/projects', { name: 'Mine', mode: 'live' }],
    ];
    for (const [method, path, body] of calls)
      expect([method, path, (await stranger.call(method, at(path), { body })).error?.code]).toEqual([method, path, 'not_found']);
    for (const id of [newId(), 'x']) expect((await stranger.call('GET', `/organizations/${id}`)).status).toBe(404);
  });

  it.each<[Role, string, string, unknown]>([
    ['support', 'GET', '/members', undefined],
    ['support', 'GET', '/audit-log', undefined],
    ['developer', 'GET', '/members', undefined],
    ['developer', 'POST', '/invitations', {}],
    ['developer', 'PATCH', '/members/0193f3a0-0000-7000-8000-000000000001', {}],
    ['developer', 'GET', '/audit-log', undefined],
    ['developer', 'POST', '/projects', {}],
    ['administrator', 'PATCH', '', {}],
  ])('a %s gets 403 for %s %s before the body is read', async (role, method, path, body) => {
    const one = await memberOf(role as (typeof ROLES)[number]);
    expect((await one.call(method, at(path), { body })).error?.code).toBe('forbidden');
  });

  it('a role change applies from the next request of the member', async () => {
    const support = await memberOf('support');
    const { user_id } = members.support.session.user;
    const change = (role: Role) => owner.call('PATCH', at(`/members/${user_id}`), { body: { role } });
    expect((await support.call('GET', at('/members'))).status).toBe(403);
    expect((await change('administrator')).status).toBe(204);
    expect((await support.call('GET', at('/members'))).status).toBe(200);
    expect((await change('support')).status).toBe(204);
    expect((await support.call('GET', at('/members'))).status).toBe(403);
    expect((await owner.call('PATCH', at(`/members/${user_id}`), { body: { role: 'god' } })).error?.param).toBe('role');
    expect((await owner.call('PATCH', at(`/members/${newId()}`), { body: { role: 'support' } })).status).toBe(404);
  });

  it('an administrator cannot change an owner', async () => {
    const administrator = await memberOf('administrator');
    const { user_id } = (await owner.refresh()).user;
    expect((await administrator.call('PATCH', at(`/members/${user_id}`), { body: { role: 'support' } })).status).toBe(403);
    expect((await administrator.call('DELETE', at(`/members/${user_id}`))).status).toBe(403);
    const { user_id: own } = members.administrator.session.user;
    expect((await administrator.call('PATCH', at(`/members/${own}`), { body: { role: 'owner' } })).status).toBe(403);
  });

  it('a member who leaves loses access', async () => {
    const guest = browser();
    const { user } = await invited(owner, guest, organizationId, 'developer', address());
    expect((await guest.call('DELETE', at(`/members/${user.user_id}`))).status).toBe(204);
    expect((await guest.call('GET', at())).status).toBe(404);
    expect((await guest.refresh()).memberships).toEqual([]);
  });

  it('the last owner cannot leave or lose the role; if two owners remove each other at once, one stays', async () => {
    const { organizationId: theirs, email } = await newOrganization(gateway.databaseUrl);
    const [first, second] = [browser(), browser()];
    const { user } = await first.signIn(email);
    const own = `/organizations/${theirs}/members/${user.user_id}`;
    expect((await first.call('DELETE', own)).error?.code).toBe('conflict');
    expect((await first.call('PATCH', own, { body: { role: 'administrator' } })).error?.code).toBe('conflict');
    const other = await invited(first, second, theirs, 'owner', address());
    const answers = await Promise.all([
      first.call('DELETE', `/organizations/${theirs}/members/${other.user.user_id}`),
      second.call('DELETE', own),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const left = answers[0].status === 204 ? first : second;
    const { members: remaining } = MemberList.parse((await left.call('GET', `/organizations/${theirs}/members`)).json);
    expect(remaining.map(({ role }) => role)).toEqual(['owner']);
  });

  it('unexpected fields are ignored', async () => {
    const one = await memberOf('support');
    const { user_id } = members.support.session.user;
    const body = { name: 'Same', role: 'owner', email: 'other@shop.example', user_id: newId(), totp_enabled: true, password_hash: 'x' };
    expect((await one.call('PATCH', '/account', { body })).status).toBe(204);
    const { user, memberships } = await one.refresh();
    expect([user.user_id, user.email, memberships[0]?.role]).toEqual([user_id, members.support.session.user.email, 'support']);
  });

  it('markup in a name is stored unchanged and returned as JSON only', async () => {
    const name = '<script>alert(1)</script>';
    const renamed = await owner.call('PATCH', at(), { body: { name } });
    expect(renamed.json).toMatchObject({ name });
    expect(renamed.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(renamed.headers.get('x-content-type-options')).toBe('nosniff');
    await owner.call('PATCH', at(), { body: { name: 'Shop' } });
    expect((await owner.call('PATCH', at(), { body: { name: '  ' } })).error?.param).toBe('name');
  });

  it('has a paged audit log with actions, actors and client addresses', async () => {
    const entries: AuditLog['entries'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = AuditLog.parse((await owner.call('GET', at(`/audit-log?limit=5${cursor && `&cursor=${cursor}`}`))).json);
      entries.push(...page.entries);
      cursor = page.next_cursor;
    }
    const ids = entries.map(({ entry_id }) => entry_id);
    expect([...ids].sort().reverse()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    const change = entries.find(({ action }) => action === 'member.role_changed');
    const { email } = members.support.session.user;
    expect(change).toMatchObject({ subject: email, details: { from: 'administrator', to: 'support' }, address: owner.address });
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set([
        'session.started',
        'account.renamed',
        'invitation.issued',
        'invitation.revoked',
        'member.joined',
        'member.role_changed',
        'member.removed',
        'organization.renamed',
      ]),
    );
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'project_id=x'])
      expect((await owner.call('GET', at(`/audit-log?${query}`))).error?.code).toBe('validation_error');
  });
});
