import type { PlanReminderRequest, Reminder, Visit } from '@tire/contracts/console';
import { Badge, Button, Checkbox, NativeSelect } from '@mantine/core';
import { NEWEST_REMINDER_CONSENT, REMINDER_CONSENT_TEXTS } from '@tire/contracts/limits';
import { useState } from 'react';
import { useVisit } from '../../api/customers';
import { useMessages } from '../../api/messages';
import { useProject } from '../../api/project';
import { usePlanReminder, useReminders, useStopReminder } from '../../api/reminders';
import type { ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Confirm, Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Section } from '../../ui/page';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

type Channel = PlanReminderRequest['channel'];
type MessageLanguage = PlanReminderRequest['consent']['language'];

const COLORS: Readonly<Record<Reminder['state'], string>> = { planned: 'blue', sent: 'gray', stopped: 'gray', dropped: 'red' };
const REASONS = ['six_months', 'depth'] as const;

/** Those by which the customer can be reached. */
const channelsOf = (visit: Visit, channels: readonly Channel[]): Channel[] =>
  channels.filter((channel) => (channel === 'email' ? visit.email : visit.phone) !== null);

/** Reminders of the next inspection. Nothing where there is none and none can be planned. */
export function RemindersSection({ at }: { at: ReportAt }) {
  const { reminders: t, send } = useTexts();
  const { place } = useProject();
  const query = useReminders(at);
  const visit = useVisit(at).data?.visit ?? null;
  const channels = useMessages(at).data?.channels ?? [];
  const [planning, setPlanning] = useState(false);
  const reached = visit?.consent ? channelsOf(visit, channels) : [];
  const mayPlan = place.can('customers.manage') && reached.length > 0;
  if (!query.isError && !mayPlan && (query.data?.reminders.length ?? 0) === 0) return null;
  return (
    <Section title={t.title} text={t.text}>
      {mayPlan && (
        <div className="slot-actions">
          <Button variant="default" onClick={() => setPlanning(true)}>
            {t.plan}
          </Button>
        </div>
      )}
      {mayPlan &&
        query.data?.stops.map((stop) => (
          <Facts key={stop.channel}>
            <span>{send.channels[stop.channel]}</span>
            <span>{t.receiverStopped}</span>
            <Timestamp at={stop.at} />
          </Facts>
        ))}
      <Loaded query={query}>
        {({ reminders }) =>
          reminders.length > 0 && (
            <Rows label={t.title}>
              {reminders.map((reminder) => (
                <Planned key={reminder.reminder_id} at={at} reminder={reminder} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {planning && visit?.consent && (
        <Plan at={at} channels={reached} language={visit.consent.language} onClose={() => setPlanning(false)} />
      )}
    </Section>
  );
}

function Planned({ at, reminder }: { at: ReportAt; reminder: Reminder }) {
  const { reminders: t, send } = useTexts();
  const { place } = useProject();
  const stop = useStopReminder(at);
  const [stopping, setStopping] = useState(false);
  const { reminder_id, reason, channel, state, because, is_queued, due_at, ended_at, consent } = reminder;
  return (
    <Row
      actions={
        (state === 'planned' || is_queued) &&
        place.can('customers.manage') && (
          <Button size="xs" variant="default" onClick={() => setStopping(true)}>
            {t.stop}
          </Button>
        )
      }
    >
      <div className="row-name">
        {t.reasonNames[reason]}
        <Badge variant="light" color={COLORS[state]}>
          {is_queued ? t.queued : t.states[state]}
        </Badge>
      </div>
      <Facts>
        <Timestamp at={ended_at ?? due_at} />
        <span>{send.channels[channel]}</span>
        {because !== null && <span>{t.causes[because]}</span>}
        {consent.recorded_by !== null && <bdi>{t.agreedWith(visibleText(consent.recorded_by))}</bdi>}
      </Facts>
      {stopping && (
        <Confirm
          title={t.stopTitle}
          text={is_queued ? t.stopQueuedText : t.stopText}
          submit={t.stop}
          messages={{ reminder: t.sentAlready }}
          action={() => stop(reminder_id)}
          onClose={() => setStopping(false)}
        />
      )}
    </Row>
  );
}

interface PlanProps {
  readonly at: ReportAt;
  readonly channels: readonly Channel[];
  /** That of the customer, who is asked and gets the reminder. */
  readonly language: MessageLanguage;
  readonly onClose: () => void;
}

function Plan({ at, channels, language, onClose }: PlanProps) {
  const { reminders: t, send } = useTexts();
  const plan = usePlanReminder(at);
  const [channel, setChannel] = useState(channels[0]!);
  const submit = async (fields: FormData) => {
    const reason = field(fields, 'reason') as Reminder['reason'];
    await plan({ reason, channel, consent: { version: NEWEST_REMINDER_CONSENT, language } });
    onClose();
  };
  const messages = {
    consent: send.by[channel].noConsent,
    channel: t.noChannel,
    email: send.by.email.noReceiver,
    phone: send.noMobile,
    depth: t.noEstimate,
    reminder: t.planned,
  };
  return (
    <Dialog title={t.plan} onClose={onClose}>
      <ActionForm submit={t.plan} action={submit} messages={messages} onCancel={onClose}>
        <NativeSelect label={t.when} name="reason" data={REASONS.map((value) => ({ value, label: t.reasons[value] }))} data-autofocus />
        <NativeSelect
          label={t.by}
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value as Channel)}
          data={channels.map((value) => ({ value, label: send.channels[value] }))}
        />
        <Checkbox name="consent" label={t.agrees} description={REMINDER_CONSENT_TEXTS[NEWEST_REMINDER_CONSENT][language]} required />
      </ActionForm>
    </Dialog>
  );
}
