import type { ReportSlot, SidewallResult, TreadResult } from '@tire/contracts/api';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../i18n/language';

/** The values of one slot; nothing without a result. */
export function MeasuredValues({ slot: { analysis } }: { slot: ReportSlot }) {
  const t = useTexts();
  const { language } = useLanguage();
  const { result, quality } = analysis;
  if (!result) return null;
  const confidence = quality?.confidence ?? null;
  return (
    <dl className="values">
      {'size' in result ? <SizeValue size={result.size} /> : <TreadValues result={result} />}
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

export const depthText = (depthMm: number): string => `${depthMm.toFixed(1)} mm`;

function TreadValues({ result }: { result: TreadResult }) {
  const t = useTexts();
  const { language } = useLanguage();
  const depthMm = result.aggregated_depth?.aggregated_remaining_depth ?? null;
  const lifetimeKm = result.aggregated_depth?.estimated_lifetime ?? null;
  const depthsMm = result.individual_depths.individual_remaining_depth;
  return (
    <>
      <Value label={t.slots.depth}>{depthMm === null ? t.slots.notRead : <strong>{depthText(depthMm)}</strong>}</Value>
      {depthsMm.length > 0 && (
        <Value label={t.slots.depths}>
          <ol className="depths">
            {depthsMm.map((groove, index) => (
              <li key={index}>{groove.toFixed(1)}</li>
            ))}
          </ol>
        </Value>
      )}
      {lifetimeKm !== null && (
        <Value label={t.slots.lifetime}>
          {t.slots.lifetimeKm(new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }).format(lifetimeKm))}
        </Value>
      )}
      {result.vehicle_side && <Value label={t.slots.inside}>{t.slots.insides[result.vehicle_side]}</Value>}
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
