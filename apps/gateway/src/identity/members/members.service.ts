import type { MemberList, Role } from '@tire/contracts/console';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { judgeMembershipChange, type MembershipRefusal } from '../../domain/membership';
import { recordChange } from '../../audit/audit.store';
import type { MemberCaller } from '../../edge/callers';
import { listMembers, lockMembers, removeMember, setRole } from './members.store';

@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(organizationId: string): Promise<MemberList> {
    const rows = await this.database.asSystem((tx) => listMembers(tx, organizationId));
    return {
      members: rows.map(({ userId, email, name, role, totpEnabled, joinedAt }) => ({
        user_id: userId,
        email,
        name,
        role,
        totp_enabled: totpEnabled,
        joined_at: joinedAt.toISOString(),
      })),
    };
  }

  /** Role null removes the member. The caller's own role is read again under the lock. */
  change({ organizationId, actor }: MemberCaller, userId: string, role: Role | null): Promise<void> {
    return this.database.asSystem(async (tx) => {
      await lockMembers(tx, organizationId);
      const members = await listMembers(tx, organizationId);
      const [by, to] = [actor.userId, userId].map((id) => members.find((member) => member.userId === id));
      if (!by || !to) throw new DomainError('not_found');
      refuse(judgeMembershipChange({ by, to, role, owners: members.filter((member) => member.role === 'owner').length }));
      if (role === to.role) return;
      const details = { from: to.role, ...(role === null ? {} : { to: role }) };
      const action = role === null ? 'member.removed' : 'member.role_changed';
      await recordChange(tx, organizationId, actor, { action, subject: to.email, details }, this.clock.now());
      if (role === null) await removeMember(tx, organizationId, userId);
      else await setRole(tx, organizationId, userId, role);
    });
  }
}

function refuse(refusal: MembershipRefusal | null): void {
  if (refusal === 'forbidden') throw new DomainError('forbidden', { message: 'Only an owner makes, changes and removes owners.' });
  if (refusal === 'last_owner') throw new DomainError('conflict', { message: 'An organization always has an owner.' });
}
