import type { ReportDetail } from '@tire/contracts/console';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Timestamp } from '../../ui/timestamp';
import { Section } from '../../ui/page';
import { useSlotName } from './slots';

type Happening = ReportDetail['history'][number];

/** The history of the report. What only support understands is in a fold of its own. */
export function PastSection({ detail: { history } }: { detail: ReportDetail }) {
  const t = useTexts();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? history : history.filter(({ slot_id }) => slot_id === null);
  const toggle = history.some(({ slot_id }) => slot_id !== null) && (
    <Switch checked={showsAll} onChange={(event) => setShowsAll(event.currentTarget.checked)} label={t.past.all} />
  );
  return (
    <Section title={t.past.title} text={t.past.text} actions={toggle}>
      <ol className="past" aria-label={t.past.title}>
        {shown.map((happening, index) => (
          <HappeningRow key={index} happening={happening} />
        ))}
      </ol>
    </Section>
  );
}

function HappeningRow({ happening }: { happening: Happening }) {
  const t = useTexts();
  const slotName = useSlotName();
  const { at, what, slot_id, by } = happening;
  const outcome = useOutcome()(happening);
  return (
    <li>
      <Timestamp at={at} exact />
      <div>
        <strong>{t.past.happenings[what]}</strong>
        {slot_id !== null && <> · {slotName(slot_id)}</>}
        {outcome !== null && <>: {outcome}</>}
        <div className="facts">
          {by && by.kind !== 'service' && (
            <span>
              {t.past.by[by.kind]} <bdi>{visibleText(by.name)}</bdi>
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
    if (error_code !== null) return failures[error_code] ?? slots.failures.analysis_failed;
    return status === null ? null : (statuses[status] ?? status);
  };
}
