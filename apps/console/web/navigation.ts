import type { Permission } from '@tire/contracts/console';
import type { Texts } from './i18n/en';

type Name = keyof Texts['project']['names'];
type Group = keyof Texts['project']['groups'];

export interface Part {
  readonly path: string;
  readonly needs: Permission;
  /** The label in the navigation, if it is listed there. */
  readonly name?: Name;
  /** The entry of the navigation below which it is listed. Parts of daily work are entries themselves. */
  readonly group?: Group;
}

type ListedPart = Pick<Part, 'path'> & { readonly name: Name };

export interface NavigationEntry {
  /** Undefined for a part that is an entry itself. */
  readonly group: Group | undefined;
  readonly parts: readonly [ListedPart, ...ListedPart[]];
}

/** The navigation of a member with these permissions, in the order of the parts. A group with one part only is that part. */
export function navigationOf(parts: readonly Part[], can: (permission: Permission) => boolean): NavigationEntry[] {
  const entries: { group: Group | undefined; parts: [ListedPart, ...ListedPart[]] }[] = [];
  for (const { path, name, group, needs } of parts) {
    if (name === undefined || !can(needs)) continue;
    const entry = group && entries.find((other) => other.group === group);
    if (entry) entry.parts.push({ path, name });
    else entries.push({ group, parts: [{ path, name }] });
  }
  return entries.map(({ group, parts: below }) => ({ group: below.length > 1 ? group : undefined, parts: below }));
}
