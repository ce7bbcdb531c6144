import { CONTENT_LOCALES, CONTENT_PROFILE, type Fault, fault, isSlotId, parseSlotId, type SlotId } from '@tire/kernel';
import type { Template } from '@tire/contracts/api';
import { isFaulty, refuseFaults, type Refusal } from './refusal';
import type { ContentProfile, GeneratorVersions } from './report';
import { DEFAULT_TEMPLATE_KEY, TEMPLATES, hasSlot, isTemplateKey } from './templates';

/** Content generated after 2026-09-28 has the braking distance in percent too. Ruleset 1.0 lacks it, 2.0 has it. */
const GAP_PERCENT_SINCE = Date.UTC(2026, 8, 29);

const allOf = (version: string): GeneratorVersions => ({ rulesetVersion: version, copyVersion: version, projectionVersion: version });

/** What the operator can choose for new reports of a project (`content_rules`), if it is not the current one. */
const CHOSEN = new Map<string | undefined, GeneratorVersions>([
  ['1.1', { rulesetVersion: '1.1', copyVersion: '1.0', projectionVersion: '1.0' }],
]);

/** Copy 1.0 is in Korean only: other languages have the current rules, whatever was chosen. */
export function generatorVersions(
  now: Date,
  { locale }: Pick<ContentProfile, 'locale'> = CONTENT_PROFILE,
  contentRules?: string,
): GeneratorVersions {
  if (locale !== CONTENT_PROFILE.locale) return allOf('2.0');
  if (now.getTime() < GAP_PERCENT_SINCE) return allOf('1.0');
  return CHOSEN.get(contentRules) ?? allOf('2.0');
}

export function chooseTemplate(key: string): Template | Refusal {
  const chosen = key === '' ? DEFAULT_TEMPLATE_KEY : key;
  return isTemplateKey(chosen)
    ? TEMPLATES[chosen]
    : refuseFaults([fault('template', `must be one of ${Object.keys(TEMPLATES).join(', ')}.`)]);
}

const UNSUPPORTED_PROFILE = `must be ${CONTENT_PROFILE.key}, ${CONTENT_PROFILE.version}, in ${CONTENT_LOCALES.join(' or ')}.`;

/** A part that is left out means the current value. */
export function chooseContentProfile(requested: ContentProfile | undefined): ContentProfile | Refusal {
  const { key, version, locale } = CONTENT_PROFILE;
  const chosen = { key: requested?.key || key, version: requested?.version || version, locale: requested?.locale || locale };
  const isSupported = chosen.key === key && chosen.version === version && CONTENT_LOCALES.some((known) => known === chosen.locale);
  return isSupported ? chosen : refuseFaults([fault('content_profile', UNSUPPORTED_PROFILE)]);
}

/** Every entry names a slot of the template, and no slot twice. */
export function checkSlots(
  template: Template,
  ids: readonly string[],
  list: 'images' | 'slots',
): { readonly slotIds: readonly SlotId[] } | Refusal {
  const slotIds: SlotId[] = [];
  const faults: Fault[] = [];
  for (const [index, id] of ids.entries()) {
    const place = `${list}[${index}].slot`;
    if (!isSlotId(id)) faults.push(fault(place, 'is no slot.'));
    else if (!hasSlot(template, id))
      faults.push(fault(`${place}.${misplaced(template, id)}`, `the template ${template.key} has no slot ${id}.`));
    else if (slotIds.includes(id)) faults.push(fault(place, 'names a slot for the second time.'));
    else slotIds.push(id);
  }
  return isFaulty(faults) ? refuseFaults(faults) : { slotIds };
}

const misplaced = (template: Template, id: SlotId): 'image_type' | 'position' =>
  template.requirements.some(({ image_type }) => image_type === parseSlotId(id).image_type) ? 'position' : 'image_type';
