import type { AuditLog } from '@tire/contracts';
import type { Texts } from '../i18n/en';
import { harmless } from '../ui/harmless';

type Entry = AuditLog['entries'][number];
type Words = Readonly<Partial<Record<string, string>>>;

/** The words for values that are one of a list; names and addresses stand as they are. */
function wordsFor(action: Entry['action'], name: string, t: Texts): Words {
  const isRole = name === 'role' || (action.startsWith('member.') && (name === 'from' || name === 'to'));
  if (isRole) return t.roles;
  switch (name) {
    case 'mode':
      return { ...t.projects.modes, manual: t.reports.manual, automatic: t.reports.automatic };
    case 'with':
    case 'then':
    case 'reason':
      return t.audit.means;
    case 'replace':
      return { true: t.content.yes, false: t.content.no };
    case 'overlap_hours':
      return t.secret.overlaps;
    default:
      return {};
  }
}

/** What is known of a deed beside what it was done to, in words. */
export function detailTexts({ action, details }: Pick<Entry, 'action' | 'details'>, t: Texts): string[] {
  const labels: Words = t.audit.details;
  return Object.entries(details).map(
    ([name, value]) => `${labels[name] ?? harmless(name)}: ${wordsFor(action, name, t)[value] ?? harmless(value)}`,
  );
}
