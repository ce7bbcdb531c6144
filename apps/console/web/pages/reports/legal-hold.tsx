import { Anchor, Button, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { HOLD_REASON_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client';
import { holdsOf, useHoldsOfReport } from '../../api/holds';
import { useProject } from '../../api/project';
import { reportPath, useReportChanged, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Loaded } from '../../ui/listing';
import { Section } from '../../ui/page';
import { visibleText } from '../../ui/visible-text';

/** Whether the report is under legal hold. Only for those who may change that. */
export function HoldSection({ at }: { at: ReportAt }) {
  const { place } = useProject();
  return place.can('holds.manage') ? <Hold at={at} /> : null;
}

function Hold({ at }: { at: ReportAt }) {
  const { retention: t } = useTexts();
  const { path } = useProject();
  const query = useHoldsOfReport(at.projectId, at.reportId);
  const [holding, setHolding] = useState(false);
  return (
    <Section title={t.hold} text={t.holdText}>
      <Loaded query={query}>
        {({ holds }) => {
          const hold = holds.find(({ report_id }) => report_id === at.reportId);
          if (!hold)
            return (
              <Button variant="default" onClick={() => setHolding(true)}>
                {t.place}
              </Button>
            );
          return (
            <>
              <Text className="wraps">
                {t.heldBecause} {visibleText(hold.reason)}
              </Text>
              <Anchor component={Link} href={`${path}/retention`} underline="always">
                {t.toHolds}
              </Anchor>
            </>
          );
        }}
      </Loaded>
      {holding && <PlaceHold at={at} onClose={() => setHolding(false)} />}
    </Section>
  );
}

function PlaceHold({ at, onClose }: { at: ReportAt; onClose: () => void }) {
  const { retention: t } = useTexts();
  const queries = useQueryClient();
  const changed = useReportChanged(at);
  const place = async (fields: FormData) => {
    await call('POST', `${reportPath(at)}/legal-hold`, { reason: field(fields, 'reason').trim() });
    await Promise.all([queries.invalidateQueries({ queryKey: holdsOf(at.projectId) }), changed()]);
    onClose();
  };
  return (
    <Dialog title={t.place} onClose={onClose}>
      <ActionForm submit={t.place} action={place} messages={{ conflict: t.tooMany }} onCancel={onClose}>
        <Textarea name="reason" label={t.reason} description={t.reasonText} maxLength={HOLD_REASON_LENGTH_MAX} required data-autofocus />
      </ActionForm>
    </Dialog>
  );
}
