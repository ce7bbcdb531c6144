import type { ReportDetail } from '@tire/contracts/console';
import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Timestamp } from '../../ui/timestamp';
import { Section } from '../../ui/page';
import { Secret } from '../../ui/secret';
import { useSlotName } from './slots';

type Happening = ReportDetail['history'][number];

/** The history of the report, with trace ids. */
export function PastSection({ detail: { history, trace_id } }: { detail: ReportDetail }) {
  const t = useTexts();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? history : history.filter(({ slot_id }) => slot_id === null);
  const toggle = history.some(({ slot_id }) => slot_id !== null) && (
    <Switch checked={showsAll} onChange={(event) => setShowsAll(event.currentTarget.checked)} label={t.past.all} />
  );
  return (
    <Section title={t.past.title} text={t.past.text} actions={toggle}>
      {trace_id !== null && (
        <div className="trace">
          <Text size="sm">{t.past.processing}</Text>
          <Secret label={t.past.trace} value={trace_id} />
        </div>
      )}
      <ol className="past" aria-label={t.past.title}>
        {shown.map((happening, index) => (
          <HappeningRow key={index} happening={happening} creationTrace={trace_id} />
        ))}
      </ol>
    </Section>
  );
}

function HappeningRow({ happening, creationTrace }: { happening: Happening; creationTrace: string | null }) {
  const t = useTexts();
  const slotName = useSlotName();
  const { at, what, slot_id, by, model, trace_id } = happening;
  const outcome = useOutcome()(happening);
  return (
    <li>
      <Timestamp at={at} exact />
      <div>
        <strong>{t.past.happenings[what]}</strong>
        {slot_id !== null && <> · {slotName(slot_id)}</>}
        {outcome !== null && <>: {outcome}</>}
        <div className="facts">
          {by && (
            <span>
              {t.past.by[by.kind]} <bdi>{visibleText(by.name)}</bdi>
            </span>
          )}
          {model !== null && <span>{t.past.model(model)}</span>}
          {trace_id !== null && trace_id !== creationTrace && (
            <span>
              {t.past.trace} <code className="wraps">{trace_id}</code>
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

function useOutcome(): (happening: Happening) => string | null {
  const { slots, reports, content } = useTexts();
  const statuses: Readonly<Partial<Record<string, string>>> = reports.analysis;
  const failures: Readonly<Partial<Record<string, string>>> = { ...slots.failures, content_source_incomplete: content.failedText };
  return ({ status, error_code }) => {
    if (error_code !== null) return failures[error_code] ?? error_code;
    return status === null ? null : (statuses[status] ?? status);
  };
}
