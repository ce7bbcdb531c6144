import type { ReportSlot } from '@tire/contracts/api';
import type { ReportDetail, SetGauge } from '@tire/contracts/console';
import { formatDepth } from '@tire/kernel/depths';
import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client';
import { reportPath, useReportChanged, type ReportAt } from '../../api/reports';
import { useLanguage, useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm } from '../../ui/form';
import { momentText, useTimeZone } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';
import { LIMITS } from '../creation/typed-values';
import { closedMessages } from './actions';
import { gaugeChanges, gaugeFault, measuredDepths, typedBefore, unusualGrooves } from './typed-gauge';
import { Value } from './values';

type History = ReportDetail['history'];

/** The depths of this tire that a person measured, beside those of the photograph, with who entered them and when. */
export function GaugeValues({ slot: { slot_id, analysis }, history }: { readonly slot: ReportSlot; readonly history: History }) {
  const t = useTexts();
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  if (!analysis.gauge) return null;
  const enteredBy = (at: string) =>
    history.find((entry) => entry.what === 'gauge_entered' && entry.slot_id === slot_id && entry.at === at)?.by?.name ?? '–';
  return (
    <dl className="values">
      <Value label={t.slots.gauge.label}>
        <ul className="gauge-values">
          {analysis.gauge.map(({ groove, depth_mm, measured_mm, entered_at }) => (
            <li key={groove}>
              {t.slots.gauge.value(groove, formatDepth(depth_mm), formatDepth(measured_mm))}
              <Text size="xs" c="dimmed" className="wraps">
                {t.slots.gauge.by(visibleText(enteredBy(entered_at)), momentText(entered_at, language, timeZone))}
              </Text>
            </li>
          ))}
        </ul>
      </Value>
    </dl>
  );
}

const isSideKnown = ({ analysis: { result } }: ReportSlot): boolean =>
  !!result && 'vehicle_side' in result && (result.vehicle_side === 'left' || result.vehicle_side === 'right');

interface EnterGaugeProps {
  readonly at: ReportAt;
  readonly slot: ReportSlot;
  /** The revision that the person sees. */
  readonly revision: string;
  readonly label: string;
  readonly onClose: () => void;
}

/** Impossible values are not sent, and unusual ones need a second confirmation. */
export function EnterGauge({ at, slot, revision, label, onClose }: EnterGaugeProps) {
  const t = useTexts();
  const { gauge: texts } = t.slots;
  const changed = useReportChanged(at);
  const [typed, setTyped] = useState(() => typedBefore(slot.analysis));
  /** The unusual grooves that the person is asked about, or that there is nothing to save. */
  const [asked, setAsked] = useState<readonly number[] | 'nothing' | null>(null);
  const asksUnusual = asked !== null && asked !== 'nothing';
  const changes = gaugeChanges(slot.analysis, typed);
  const unusual = unusualGrooves(slot.analysis, changes);
  const type = (index: number, text: string) => {
    setTyped(typed.with(index, text));
    setAsked(null);
  };
  const save = async () => {
    if (typed.some((text) => gaugeFault(text) !== null)) return;
    if (changes.length === 0) return setAsked('nothing');
    if (unusual.length > 0 && !asksUnusual) return setAsked(unusual);
    const request = { slot_id: slot.slot_id, analysis_revision: revision, values: changes, confirm_unusual: asksUnusual };
    await call<SetGauge>('POST', `${reportPath(at)}/gauge-values`, request);
    await changed();
    onClose();
  };
  return (
    <Dialog title={texts.title(label)} onClose={onClose}>
      <ActionForm
        submit={asksUnusual ? texts.confirm : texts.save}
        action={save}
        messages={{ ...closedMessages(t), validation_error: texts.changed }}
        onCancel={onClose}
      >
        <Text size="sm">{texts.text}</Text>
        <Text size="sm" fw={600}>
          {isSideKnown(slot) ? t.slots.depths : t.slots.depthsFromLeft}
        </Text>
        <Grooves measuredMm={measuredDepths(slot.analysis)} typed={typed} onType={type} />
        <div role="status">
          {asksUnusual && <Text size="sm">{texts.unusual(asked.join(', '))}</Text>}
          {asked === 'nothing' && <Text size="sm">{texts.none}</Text>}
        </div>
      </ActionForm>
    </Dialog>
  );
}

interface GroovesProps {
  readonly measuredMm: readonly number[];
  readonly typed: readonly string[];
  readonly onType: (index: number, text: string) => void;
}

function Grooves({ measuredMm, typed, onType }: GroovesProps) {
  const { slots, creation } = useTexts();
  const { faults } = creation.manual;
  const faultText = (text: string) => {
    const fault = gaugeFault(text);
    return fault === 'range' ? faults.range(LIMITS.depthMm.min, LIMITS.depthMm.max) : fault && faults[fault];
  };
  return (
    <Stack gap="xs">
      {measuredMm.map((depthMm, index) => (
        <TextInput
          key={index}
          label={slots.gauge.groove(index + 1)}
          description={slots.gauge.measured(formatDepth(depthMm))}
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          value={typed[index]}
          error={faultText(typed[index]!)}
          onChange={(event) => onType(index, event.currentTarget.value)}
        />
      ))}
    </Stack>
  );
}
