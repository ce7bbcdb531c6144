import type { Role } from '@tire/contracts/console';
import { judgeMembershipChange } from './membership';

const ROLES: readonly Role[] = ['owner', 'administrator', 'developer', 'support'];
const change = (by: Role, to: Role, role: Role | null, owners = 2) =>
  judgeMembershipChange({ by: { userId: 'a', role: by }, to: { userId: 'b', role: to }, role, owners });

describe('role changes', () => {
  it.each(ROLES.flatMap((to) => [...ROLES, null].map((role) => [to, role] as const)))(
    'an owner can change the role %s to %s',
    (to, role) => {
      expect(change('owner', to, role)).toBeNull();
    },
  );

  it.each(ROLES.flatMap((to) => [...ROLES, null].map((role) => [to, role] as const)))(
    'an administrator can change the role %s to %s if neither is owner',
    (to, role) => {
      expect(change('administrator', to, role)).toBe(to === 'owner' || role === 'owner' ? 'forbidden' : null);
    },
  );

  it.each(['developer', 'support'] as const)('a %s cannot change roles', (by) => {
    for (const to of ROLES) for (const role of [...ROLES, null]) expect(change(by, to, role)).toBe('forbidden');
  });

  it.each(ROLES)('a %s can leave, except the last owner', (role) => {
    const self = { userId: 'a', role };
    expect(judgeMembershipChange({ by: self, to: self, role: null, owners: 2 })).toBeNull();
    expect(judgeMembershipChange({ by: self, to: self, role: null, owners: 1 })).toBe(role === 'owner' ? 'last_owner' : null);
  });

  it('the last owner cannot give up the role', () => {
    const self = { userId: 'a', role: 'owner' as const };
    for (const role of ['administrator', 'developer', 'support', null] as const)
      expect(judgeMembershipChange({ by: self, to: self, role, owners: 1 })).toBe('last_owner');
    expect(judgeMembershipChange({ by: self, to: self, role: 'owner', owners: 1 })).toBeNull();
  });
});
