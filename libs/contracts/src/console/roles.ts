/** The roles of an organization and their permissions. The gateway checks this table, and the console hides controls by it. */

export const ROLES = ['owner', 'administrator', 'developer', 'support'] as const;
export type Role = (typeof ROLES)[number];

const OF_EVERY_ROLE = ['reports.read', 'reports.write', 'reports.publish'] as const;
const DEVELOPERS = [
  ...OF_EVERY_ROLE,
  'reports.discard',
  'projects.read',
  'keys.read',
  'request_log.read',
  'usage.read',
  'webhooks.read',
  'webhooks.send',
] as const;
/** Customers are the work of the people at the counter. Developers see them masked. */
const OF_THE_COUNTER = ['customers.manage'] as const;
const ADMINISTRATORS = [
  ...DEVELOPERS,
  ...OF_THE_COUNTER,
  'projects.manage',
  'keys.manage',
  'webhooks.manage',
  'prices.manage',
  'erasures.manage',
  'members.read',
  'members.manage',
  'audit_log.read',
  'holds.manage',
] as const;
const OWNERS = [...ADMINISTRATORS, 'organization.manage', 'owners.manage', 'retention.manage'] as const;

export const PERMISSIONS = OWNERS;
export type Permission = (typeof PERMISSIONS)[number];

export const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  owner: OWNERS,
  administrator: ADMINISTRATORS,
  developer: DEVELOPERS,
  support: [...OF_EVERY_ROLE, ...OF_THE_COUNTER],
};
