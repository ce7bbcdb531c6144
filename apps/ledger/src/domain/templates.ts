import { IMAGE_TYPES, MODULE_TYPE, POSITIONS, slotId, type ImageType, type Slot, type SlotId } from '@tire/kernel';
import type { Template } from '@tire/contracts/api';

export type TemplateKey = Template['key'];

const TEMPLATE_VERSION = '1.0';

/** How many successes each image type needs among its four positions. An image type that is missing has no slots. */
const minimumSuccesses: Record<TemplateKey, Partial<Record<ImageType, number>>> = {
  tire_4t_2s: { tread: 4, sidewall: 2 },
  tire_4t_4s: { tread: 4, sidewall: 4 },
  tire_4t_0s: { tread: 4 },
};

const buildTemplate = (key: TemplateKey): Template => ({
  key,
  version: TEMPLATE_VERSION,
  requirements: IMAGE_TYPES.flatMap((imageType) => {
    const minimum = minimumSuccesses[key][imageType];
    if (minimum === undefined) return [];
    return [{ module_type: MODULE_TYPE, image_type: imageType, allowed_positions: [...POSITIONS], minimum_success_count: minimum }];
  }),
});

export const TEMPLATES: Record<TemplateKey, Template> = {
  tire_4t_2s: buildTemplate('tire_4t_2s'),
  tire_4t_4s: buildTemplate('tire_4t_4s'),
  tire_4t_0s: buildTemplate('tire_4t_0s'),
};

export const DEFAULT_TEMPLATE_KEY: TemplateKey = 'tire_4t_2s';

export const isTemplateKey = (key: string): key is TemplateKey => Object.hasOwn(TEMPLATES, key);

/** Every slot of a template, required or optional: treads first, positions in their usual order. */
export const slotsOf = (template: Template): Slot[] =>
  template.requirements.flatMap(({ image_type, allowed_positions }) => allowed_positions.map((position) => ({ position, image_type })));

export const hasSlot = (template: Template, id: string): id is SlotId => slotsOf(template).some((slot) => slotId(slot) === id);

/** The count rules: enough successes, at any positions. */
export const meetsRequirements = (template: Template, succeeded: readonly Slot[]): boolean =>
  template.requirements.every(({ image_type, allowed_positions, minimum_success_count }) => {
    const counted = succeeded.filter((slot) => slot.image_type === image_type && allowed_positions.includes(slot.position));
    return counted.length >= minimum_success_count;
  });

/** The template that a report was created with. A version stays here while reports name it. */
export function templateOf(key: string, version: string): Template {
  if (!isTemplateKey(key) || TEMPLATES[key].version !== version) throw new Error(`There is no template ${key} ${version}`);
  return TEMPLATES[key];
}
