import type { Content, Report, ReportSlot } from '@tire/contracts/api';
import type { ReportDetail, SizeGuess } from '@tire/contracts/console';
import { Badge, Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { useProject } from '../../api/project';
import { useSizeGuesses, type ReportAt } from '../../api/reports';
import { useLanguage, useTexts } from '../../i18n/language';
import { Section } from '../../ui/page';
import { imageDisplayOf, isShared } from './image-display';
import { AnalyzeAgain } from './actions';
import { EnterGauge, GaugeValues } from './gauge';
import { NoImage, ReportImage } from './image';
import { ReplaceImage } from './replace-image';
import { SizeQuestion } from './size-guess';
import { measuredDepths } from './typed-gauge';
import { MeasuredValues } from './values';

interface SlotsProps {
  readonly at: ReportAt;
  readonly report: Report;
  readonly content: Content | undefined;
  readonly history: ReportDetail['history'];
}

export function SlotsSection({ at, report, content, history }: SlotsProps) {
  const t = useTexts();
  const { place } = useProject();
  const [showsGrooves, setShowsGrooves] = useState(true);
  const { data: offered } = useSizeGuesses(at, report, place.can('reports.write'));
  const hasGrooves = report.slots.some(({ analysis: { result } }) => result && 'groove_masks' in result && result.groove_masks.length > 0);
  const toggle = hasGrooves && (
    <Switch checked={showsGrooves} onChange={(event) => setShowsGrooves(event.currentTarget.checked)} label={t.slots.grooves} />
  );
  return (
    <Section title={t.slots.title} actions={toggle}>
      <ul className="slots" aria-label={t.slots.title}>
        {report.slots.map((slot) => (
          <SlotCard
            key={slot.slot_id}
            at={at}
            report={report}
            slot={slot}
            content={content}
            history={history}
            showsGrooves={showsGrooves}
            guess={offered?.guesses.find(({ slot_id }) => slot_id === slot.slot_id)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface SlotCardProps extends SlotsProps {
  readonly slot: ReportSlot;
  readonly showsGrooves: boolean;
  readonly guess: SizeGuess | undefined;
}

function SlotCard({ at, report, slot, content, history, showsGrooves, guess }: SlotCardProps) {
  const t = useTexts();
  const label = useSlotName()(slot.slot_id);
  const display = imageDisplayOf(report, slot, content);
  return (
    <li className="slot">
      <div className="slot-head">
        <h3>{label}</h3>
        <SlotBadge slot={slot} />
      </div>
      {slot.asset && hasEnded(slot, history) ? (
        <NoImage text={t.slots.ended} />
      ) : slot.asset ? (
        <ReportImage key={slot.asset.asset_id} at={at} asset={slot.asset} label={label} display={display} showsGrooves={showsGrooves} />
      ) : (
        <NoImage text={t.slots.noImage} />
      )}
      <MeasuredValues slot={slot} isShared={isShared(report, slot)} isMirrored={display.mirrored} />
      <GaugeValues slot={slot} history={history} />
      {guess && <SizeQuestion at={at} guess={guess} label={label} />}
      <Fault slot={slot} />
      <SlotActions at={at} report={report} slot={slot} label={label} />
    </li>
  );
}

const IMAGE_CHANGES = new Set(['image_registered', 'image_attached', 'image_fetched', 'image_ended']);

/** The time of the photograph that the slot shows is over. */
const hasEnded = (slot: ReportSlot, history: ReportDetail['history']): boolean =>
  history.findLast(({ slot_id, what }) => slot_id === slot.slot_id && IMAGE_CHANGES.has(what))?.what === 'image_ended';

/** Parses the id tire.{image_type}.{position}. */
export function useSlotName(): (slotId: string) => string {
  const { slots } = useTexts();
  const positions: Readonly<Partial<Record<string, string>>> = slots.positions;
  const types: Readonly<Partial<Record<string, string>>> = slots.types;
  return (slotId) => {
    const [, type = '', position = ''] = slotId.split('.');
    return `${positions[position] ?? position}, ${types[type] ?? type}`;
  };
}

const COLORS: Readonly<Record<ReportSlot['status'], string>> = { pending: 'gray', success: 'green', failed: 'red' };

function SlotBadge({ slot: { status, asset, analysis } }: { slot: ReportSlot }) {
  const { slots } = useTexts();
  if (status === 'success' && !isRead(analysis)) return <Badge variant="light" color="orange" children={slots.notRead} />;
  if (status === 'pending' && asset) return <Badge variant="light">{slots.measuring}</Badge>;
  const words = { manual: slots.entered, legacy_projection: slots.takenOver, engine: slots.states[status] };
  return (
    <Badge variant="light" color={COLORS[status]}>
      {analysis.provenance ? words[analysis.provenance] : slots.states[status]}
    </Badge>
  );
}

/** A photograph that was looked at without a result is a success for the service, and none for a mechanic. */
export const isRead = ({ result, quality }: ReportSlot['analysis']): boolean =>
  // A tread that is worn smooth has no depth, and that was read.
  (quality?.recognized !== false || (result !== null && 'bald_zones' in result && result.bald_zones?.worn_smooth === true)) &&
  !(result && 'size' in result && result.size === null);

/** The reason for a missing result, and how to take a better image. */
function Fault({ slot: { analysis } }: { slot: ReportSlot }) {
  const t = useTexts();
  const { language } = useLanguage();
  if (!analysis.error && !analysis.retake?.length) return null;
  return (
    <div className={analysis.error ? 'fault' : 'fault fault-mild'}>
      {analysis.error ? <strong>{t.slots.failures[analysis.error.code]}</strong> : <strong>{t.slots.retake}</strong>}
      {analysis.retake?.map(({ code, hint }) => (
        <p key={code}>{hint[language]}</p>
      ))}
    </div>
  );
}

interface SlotActionsProps {
  readonly at: ReportAt;
  readonly report: Report;
  readonly slot: ReportSlot;
  readonly label: string;
}

function SlotActions({ at, report, slot, label }: SlotActionsProps) {
  const t = useTexts();
  const { place } = useProject();
  const [open, setOpen] = useState<'replace' | 'analyze' | 'gauge' | null>(null);
  const isManual = report.creation.mode === 'manual';
  // Only manually entered values may have an attached image.
  if (!place.can('reports.write') || (isManual && slot.status !== 'success')) return null;
  const close = () => setOpen(null);
  const upload = slot.asset ? t.slots.replace : t.slots.add;
  const gauge = slot.analysis.gauge ? t.slots.gauge.change : t.slots.gauge.enter;
  // It is not known which tire a photograph in two positions shows, so its grooves have no values by hand.
  const mayGauge = measuredDepths(slot.analysis).length > 0 && !isShared(report, slot);
  const revision = mayGauge ? report.analysis_revision : null;
  const again = slot.asset && slot.status !== 'pending' && !isManual;
  return (
    <div className="slot-actions">
      <Button size="xs" variant="default" aria-label={t.slots.actionOf(upload, label)} onClick={() => setOpen('replace')}>
        {upload}
      </Button>
      {again && (
        <Button size="xs" variant="default" aria-label={t.slots.actionOf(t.report.analyze, label)} onClick={() => setOpen('analyze')}>
          {t.report.analyze}
        </Button>
      )}
      {revision !== null && (
        <Button size="xs" variant="default" aria-label={t.slots.actionOf(gauge, label)} onClick={() => setOpen('gauge')}>
          {gauge}
        </Button>
      )}
      {open === 'gauge' && revision !== null && <EnterGauge at={at} slot={slot} revision={revision} label={label} onClose={close} />}
      {open === 'replace' && <ReplaceImage at={at} slot={slot} isManual={isManual} label={label} onClose={close} />}
      {open === 'analyze' && <AnalyzeAgain at={at} slots={[slot]} onClose={close} />}
    </div>
  );
}
