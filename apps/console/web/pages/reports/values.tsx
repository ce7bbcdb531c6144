import type { ReportSlot, SidewallResult, TreadResult } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel/depths';
import type { ReactNode } from 'react';
import type { Texts } from '../../i18n/en';
import { useLanguage, useTexts } from '../../i18n/language';
import { lowestInterval, lowestMm } from './lowest';

interface Shown {
  /** Whether the image is in a slot of another tire too. */
  readonly isShared: boolean;
  readonly isMirrored: boolean;
}

/** The values of one slot; nothing without a result. If several tires have the same image, its tire and side are unknown. */
export function MeasuredValues({ slot: { analysis }, ...shown }: { readonly slot: ReportSlot } & Shown) {
  const t = useTexts();
  const { language } = useLanguage();
  const { result, quality } = analysis;
  if (!result) return null;
  const confidence = quality?.confidence ?? null;
  return (
    <dl className="values">
      {'size' in result ? (
        <SizeValue size={result.size} />
      ) : (
        <TreadValues result={result} isManual={analysis.provenance === 'manual'} {...shown} />
      )}
      {confidence !== null && (
        <Value label={t.slots.confidence}>{new Intl.NumberFormat(language, { style: 'percent' }).format(confidence)}</Value>
      )}
    </dl>
  );
}

export function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const depthText = (depthMm: number): string => `${formatDepth(depthMm)} mm`;

const UNSEEN_REASONS = ['outside_image', 'groove_unclear'] as const;

/** The depth as the customer reads it: with its interval, where it has one. */
export const rangedDepth = ({ about }: Texts['slots'], depthMm: number, interval: readonly [number, number] | null | undefined): string =>
  interval && interval[0] < interval[1]
    ? about(formatDepth(depthMm), formatDepth(interval[0]), formatDepth(interval[1]))
    : depthText(depthMm);

function TreadValues({ result, isManual, isShared, isMirrored }: { readonly result: TreadResult; readonly isManual: boolean } & Shown) {
  const t = useTexts();
  const depthMm = lowestMm(result);
  const aggregatedMm = result.aggregated_depth?.aggregated_remaining_depth ?? null;
  const bald = result.bald_zones;
  const sideIsKnown = !isShared && (result.vehicle_side === 'left' || result.vehicle_side === 'right');
  // Manual depths start at the outside.
  const order = sideIsKnown || isManual ? t.slots.depths : t.slots.depthsFromLeft;
  const measuredMm = result.individual_depths.individual_remaining_depth;
  // Depths start at the outside. If the inner side of the tire is on the left of the shown image, its outer side is on the right.
  const isReversed = isShared && (result.vehicle_side === 'left') !== isMirrored;
  const depthsMm = isReversed ? measuredMm.toReversed() : measuredMm;
  return (
    <>
      <Value label={t.slots.depth}>
        {depthMm === null ? (
          <strong>{bald?.worn_smooth ? t.slots.wornSmooth : t.slots.notRead}</strong>
        ) : (
          <strong>{rangedDepth(t.slots, depthMm, lowestInterval(result))}</strong>
        )}
      </Value>
      {bald && bald.zones.length > 0 && !bald.worn_smooth && (
        <Value label={t.slots.bald}>{[...new Set(bald.zones.map(({ place }) => t.slots.baldPlaces[place]))].join(', ')}</Value>
      )}
      {UNSEEN_REASONS.flatMap((reason) => {
        const places = (result.unseen_parts ?? []).flatMap((part) => (part.reason === reason ? [t.slots.baldPlaces[part.place]] : []));
        return places.length === 0
          ? []
          : [
              <Value key={reason} label={t.slots.unseen[reason]}>
                {places.join(', ')}
              </Value>,
            ];
      })}
      {aggregatedMm !== null && depthsMm.length > 1 && <Value label={t.slots.aggregated}>{depthText(aggregatedMm)}</Value>}
      {depthsMm.length > 0 && (
        <Value label={order}>
          <ol className="depths">
            {depthsMm.map((groove, index) => (
              <li key={index}>{formatDepth(groove)}</li>
            ))}
          </ol>
        </Value>
      )}
      {result.vehicle_side && !isShared && <Value label={t.slots.inside}>{t.slots.insides[result.vehicle_side]}</Value>}
    </>
  );
}

function SizeValue({ size }: { size: SidewallResult['size'] }) {
  const t = useTexts();
  return (
    <Value label={t.slots.size}>
      {size ? <strong>{`${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`}</strong> : t.slots.notRead}
    </Value>
  );
}
