import type { Role } from '@tire/contracts/console';

interface Standing {
  readonly userId: string;
  readonly role: Role;
}

export interface MembershipChange {
  readonly by: Standing;
  readonly to: Standing;
  /** Null: removed. */
  readonly role: Role | null;
  readonly owners: number;
}

export type MembershipRefusal = 'forbidden' | 'last_owner';

/** Administrators manage everybody except owners. Every member may leave. An organization always has an owner. */
export function judgeMembershipChange({ by, to, role, owners }: MembershipChange): MembershipRefusal | null {
  const leaves = role === null && by.userId === to.userId;
  const manages = by.role === 'owner' || (by.role === 'administrator' && to.role !== 'owner' && role !== 'owner');
  if (!leaves && !manages) return 'forbidden';
  return to.role === 'owner' && role !== 'owner' && owners <= 1 ? 'last_owner' : null;
}
