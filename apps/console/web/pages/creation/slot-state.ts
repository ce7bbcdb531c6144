import type { ReportSlot, TreadResult } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel/depths';
import type { Texts } from '../../i18n/en';
import { lowestInterval, lowestMm } from '../reports/lowest';
import { sizeText } from './typed-values';

type Words = Pick<Texts, 'creation' | 'slots' | 'upload'>;
type Language = keyof NonNullable<ReportSlot['analysis']['retake']>[number]['hint'];

export type SendProblem = keyof Texts['upload']['problems'];

/** The state of a slot on this page, in addition to the report's state. */
export type Sending =
  | { readonly step: 'sending'; readonly preview: string; readonly share: number }
  /** Registered; the report is being reloaded. */
  | { readonly step: 'sent'; readonly preview: string }
  /** The report contains the image. */
  | { readonly step: 'known'; readonly preview: string; readonly assetId: string }
  | { readonly step: 'stopped'; readonly problem: SendProblem; readonly again: File | null };

export interface SlotState {
  readonly tone: 'idle' | 'busy' | 'good' | 'better' | 'bad';
  readonly text: string;
  /** The reason for the state, and how to take a better image. */
  readonly hints: readonly string[];
}

export function slotState(slot: ReportSlot, sending: Sending | undefined, isNeeded: boolean, t: Words, language: Language): SlotState {
  const { images } = t.creation;
  const quiet = (tone: SlotState['tone'], text: string): SlotState => ({ tone, text, hints: [] });
  if (sending?.step === 'sending') return quiet('busy', images.sending);
  if (sending?.step === 'stopped') return quiet('bad', t.upload.problems[sending.problem]);
  if (sending?.step === 'sent') return quiet('busy', t.slots.measuring);
  const { analysis } = slot;
  const hints = analysis.retake?.map(({ hint }) => hint[language]) ?? [];
  switch (analysis.status) {
    case 'pending':
      if (slot.asset) return quiet('busy', t.slots.measuring);
      return quiet('idle', isNeeded ? images.waiting : images.optional);
    case 'failed':
      return {
        tone: 'bad',
        text: images.bad,
        hints: hints.length > 0 || !analysis.error ? hints : [t.slots.failures[analysis.error.code]],
      };
    case 'success': {
      const value = valueText(slot, t);
      if (value === null) return { tone: 'better', text: t.slots.notRead, hints };
      if (analysis.provenance === 'manual') return quiet('good', images.typed(value));
      return hints.length > 0 ? { tone: 'better', text: `${value}. ${images.better}`, hints } : quiet('good', value);
    }
  }
}

const shownEnds = ([low, high]: readonly [number, number]) => [formatDepth(low), formatDepth(high)] as const;

/** The depth of the other grooves tells nothing about the place without a pattern. */
const hasBaldZone = ({ bald_zones: bald }: TreadResult): boolean => !!bald && (bald.zones.length > 0 || bald.share_of_width > 0);

function valueText({ analysis: { result } }: ReportSlot, { creation: { images }, slots }: Words): string | null {
  if (!result) return null;
  if ('size' in result) {
    const { section_width, aspect_ratio, rim_diameter } = result.size ?? {};
    if (!section_width || !aspect_ratio || !rim_diameter) return null;
    return sizeText({ section_width, aspect_ratio, rim_diameter });
  }
  if (result.bald_zones?.worn_smooth) return images.wornSmooth;
  const depthMm = lowestMm(result);
  if (depthMm === null) return null;
  const interval = lowestInterval(result);
  const depth = interval ? slots.about(formatDepth(depthMm), ...shownEnds(interval)) : images.depth(formatDepth(depthMm));
  const isPartUnseen = (result.unseen_parts ?? []).length > 0;
  return [depth, ...(hasBaldZone(result) ? [images.bald] : []), ...(isPartUnseen ? [images.partUnseen] : [])].join(', ');
}
