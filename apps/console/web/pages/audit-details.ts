import type { AuditLog } from '@tire/contracts/console';
import type { Texts } from '../i18n/en';
import { visibleText } from '../ui/visible-text';

type Entry = AuditLog['entries'][number];
type Words = Readonly<Partial<Record<string, string>>>;

/** The texts for enum values. Names and addresses are shown as they are. */
function wordsFor(action: Entry['action'], name: string, t: Texts): Words {
  const isRole = name === 'role' || (action.startsWith('member.') && (name === 'from' || name === 'to'));
  if (isRole) return t.roles;
  if (action === 'retention.changed' && name !== 'kind') return { default: t.retention.byDefault };
  if (action === 'project.rule_changed') return name === 'rule' ? t.audit.rules : t.audit.ruleValues;
  switch (name) {
    case 'mode':
      return { ...t.projects.modes, manual: t.reports.manual, automatic: t.reports.automatic };
    case 'with':
    case 'then':
    case 'reason':
      return t.audit.means;
    case 'replace':
    case 'shows_plate':
      return { true: t.content.yes, false: t.content.no };
    case 'kind':
      return t.retention.kinds;
    case 'fields':
      return t.customers.fields;
    case 'channel':
      return t.send.channels;
    case 'kind':
      return t.privacy.kinds;
    case 'purpose':
      return t.templates.purposes;
    case 'kind':
      return t.exportSchedules.kinds;
    case 'frequency':
      return t.exportSchedules.frequencies;
    case 'language':
      return { ko: '한국어', en: 'English' };
    case 'overlap_hours':
      return t.secret.overlaps;
    default:
      return {};
  }
}

export function detailTexts({ action, details }: Pick<Entry, 'action' | 'details'>, t: Texts): string[] {
  const labels: Words = t.audit.details;
  return Object.entries(details).map(([name, value]) => {
    const words = wordsFor(action, name, t);
    const shown =
      name === 'fields'
        ? value
            .split(' ')
            .map((field) => words[field] ?? visibleText(field))
            .join(', ')
        : words[value];
    return `${labels[name] ?? visibleText(name)}: ${shown ?? visibleText(value)}`;
  });
}
