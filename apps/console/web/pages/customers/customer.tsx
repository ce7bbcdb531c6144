import type { Visit, VisitAnswer, VisitDetails } from '@tire/contracts/console';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRemoveVisit, useShownVisit, useVisit } from '../../api/customers';
import { useProject } from '../../api/project';
import type { ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Loaded } from '../../ui/listing';
import { Section } from '../../ui/page';
import { Problem } from '../../ui/problem';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';
import { Value } from '../reports/values';
import { EditCustomer } from './edit-customer';

/** Who came with the vehicle. Nothing where there is nobody, and nobody may be recorded. */
export function CustomerSection({ at }: { at: ReportAt }) {
  const { customers: t } = useTexts();
  const { place } = useProject();
  const query = useVisit(at);
  if (!place.can('customers.manage') && !query.data?.visit) return null;
  return (
    <Section title={t.title} text={query.data?.visit === null ? t.text : undefined}>
      <Loaded query={query}>{(answer) => <Customer at={at} answer={answer} />}</Loaded>
    </Section>
  );
}

function Customer({ at, answer: { visit, advisors } }: { at: ReportAt; answer: VisitAnswer }) {
  const { customers: t } = useTexts();
  const { place } = useProject();
  const shown = useShownVisit(at);
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const edit = async () => {
    if (visit) await shown.mutateAsync();
    setOpen('edit');
  };
  return (
    <Stack gap="md">
      {visit && <Facts visit={visit} whole={shown.data} />}
      <Problem error={shown.error} />
      {place.can('customers.manage') && (
        <div className="slot-actions">
          {visit && !shown.data && (
            <Button size="xs" variant="default" loading={shown.isPending} onClick={() => shown.mutate()}>
              {t.show}
            </Button>
          )}
          {visit && shown.data && (
            <Button size="xs" variant="default" onClick={() => shown.reset()}>
              {t.hide}
            </Button>
          )}
          <Button
            size="xs"
            variant={visit ? 'default' : 'filled'}
            loading={shown.isPending}
            onClick={() => void edit().catch(() => undefined)}
          >
            {visit ? t.edit : t.record}
          </Button>
          {visit && (
            <Button size="xs" variant="default" onClick={() => setOpen('remove')}>
              {t.remove}
            </Button>
          )}
        </div>
      )}
      {open === 'edit' && (
        <EditCustomer
          at={at}
          visit={visit}
          details={shown.data ?? null}
          advisors={advisors}
          onSaved={() => shown.reset()}
          onClose={close}
        />
      )}
      {open === 'remove' && <RemoveCustomer at={at} onRemoved={() => shown.reset()} onClose={close} />}
    </Stack>
  );
}

function RemoveCustomer({ at, onRemoved, onClose }: { at: ReportAt; onRemoved: () => void; onClose: () => void }) {
  const { customers: t, retention } = useTexts();
  const remove = useRemoveVisit(at);
  const action = async () => {
    await remove();
    onRemoved();
  };
  return (
    <Confirm
      title={t.removeTitle}
      text={t.removeText}
      submit={t.remove}
      messages={{ legal_hold: retention.customerHeld }}
      action={action}
      onClose={onClose}
    />
  );
}

function Facts({ visit, whole }: { visit: Visit; whole: VisitDetails | undefined }) {
  const { customers: t } = useTexts();
  const values = whole ?? visit;
  return (
    <dl className="values">
      {(['name', 'phone', 'email'] as const).map((field) => {
        const value = values[field];
        return (
          value !== null && (
            <Value key={field} label={t.fields[field]}>
              <bdi>{visibleText(value)}</bdi>
            </Value>
          )
        );
      })}
      {visit.has_note && (
        <Value label={t.fields.note}>{whole ? <span className="wraps">{visibleText(whole.note ?? '')}</span> : t.hidden}</Value>
      )}
      {visit.advisor && (
        <Value label={t.fields.advisor}>
          <bdi>{visibleText(visit.advisor.name)}</bdi>
        </Value>
      )}
      <Value label={t.consent.title}>
        {visit.consent ? (
          <>
            {t.consent.given} <Timestamp at={visit.consent.at} />
            {visit.consent.recorded_by !== null && (
              <Text size="sm" c="dimmed">
                {t.consent.by(visibleText(visit.consent.recorded_by))}
              </Text>
            )}
          </>
        ) : (
          t.consent.none
        )}
      </Value>
    </dl>
  );
}
