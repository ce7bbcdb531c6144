import { CONTENT_PROFILE, isSlotId, parseSlotId, type SlotId } from '@tire/kernel';
import type { Template } from '@tire/contracts/api';
import { refuse, type Refusal } from './refusal';
import type { ContentProfile, GeneratorVersions } from './report';
import { DEFAULT_TEMPLATE_KEY, TEMPLATES, hasSlot, isTemplateKey } from './templates';

/** Content generated after 2026-09-28 has the braking distance in percent too, which is ruleset 1.1. */
const RULESET_1_1_SINCE = Date.UTC(2026, 8, 29);

export const generatorVersions = (now: Date): GeneratorVersions => ({
  rulesetVersion: now.getTime() >= RULESET_1_1_SINCE ? '1.1' : '1.0',
  copyVersion: '1.0',
  projectionVersion: '1.0',
});

export function chooseTemplate(key: string): Template | Refusal {
  const chosen = key === '' ? DEFAULT_TEMPLATE_KEY : key;
  return isTemplateKey(chosen) ? TEMPLATES[chosen] : refuse('validation_error', 'template');
}

/** A part that is left out means the current value. */
export function chooseContentProfile(requested: ContentProfile | undefined): ContentProfile | Refusal {
  const supported = (['key', 'version', 'locale'] as const).every(
    (part) => !requested?.[part] || requested[part] === CONTENT_PROFILE[part],
  );
  return supported ? CONTENT_PROFILE : refuse('validation_error', 'content_profile');
}

/** Every entry names a slot of the template, and no slot twice. */
export function checkSlots(
  template: Template,
  ids: readonly string[],
  list: 'images' | 'slots',
): { readonly slotIds: readonly SlotId[] } | Refusal {
  const slotIds: SlotId[] = [];
  for (const [index, id] of ids.entries()) {
    if (!isSlotId(id)) return refuse('validation_error', `${list}[${index}].slot`);
    if (!hasSlot(template, id)) return refuse('validation_error', `${list}[${index}].slot.${misplaced(template, id)}`);
    if (slotIds.includes(id)) return refuse('validation_error', `${list}[${index}].slot`);
    slotIds.push(id);
  }
  return { slotIds };
}

const misplaced = (template: Template, id: SlotId): 'image_type' | 'position' =>
  template.requirements.some(({ image_type }) => image_type === parseSlotId(id).image_type) ? 'position' : 'image_type';
