import type { ChangeVisitRequest, Visit, VisitAnswer, VisitDetails } from '@tire/contracts/console';
import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { CONSENT_TEXTS, CUSTOMER_LIMITS, NEWEST_CONSENT } from '@tire/contracts/limits';
import { useChangeVisit } from '../../api/customers';
import type { ReportAt } from '../../api/reports';
import { useLanguage, useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { visibleText } from '../../ui/visible-text';
import { closedMessages } from '../reports/actions';

interface EditProps {
  readonly at: ReportAt;
  readonly visit: Visit | null;
  /** The whole values; null if nothing is recorded. */
  readonly details: VisitDetails | null;
  readonly advisors: VisitAnswer['advisors'];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'phone', 'email', 'note'] as const;

export function EditCustomer({ at, visit, details, advisors, onSaved, onClose }: EditProps) {
  const t = useTexts();
  const { customers: words } = t;
  const { language } = useLanguage();
  const change = useChangeVisit(at);
  const save = async (fields: FormData) => {
    const changed = changes(fields, visit, details);
    const agrees = fields.has('consent');
    if (agrees !== Boolean(visit?.consent)) changed.consent = agrees ? { version: NEWEST_CONSENT, language } : null;
    if (Object.keys(changed).length > 0) await change(changed);
    onSaved();
    onClose();
  };
  const messages = { ...closedMessages(t), phone: words.wrongPhone, email: words.wrongEmail, advisor_id: words.wrongAdvisor };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <ActionForm submit={t.common.save} action={save} messages={messages} onCancel={onClose}>
        <TextInput
          label={words.fields.name}
          name="name"
          defaultValue={details?.name ?? ''}
          maxLength={CUSTOMER_LIMITS.name}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={words.fields.phone}
          name="phone"
          type="tel"
          defaultValue={details?.phone ?? ''}
          maxLength={CUSTOMER_LIMITS.phone}
          autoComplete="off"
        />
        <TextInput
          label={words.fields.email}
          name="email"
          type="email"
          defaultValue={details?.email ?? ''}
          maxLength={CUSTOMER_LIMITS.email}
          autoComplete="off"
        />
        <Textarea label={words.fields.note} name="note" defaultValue={details?.note ?? ''} maxLength={CUSTOMER_LIMITS.note} rows={2} />
        <NativeSelect
          label={words.fields.advisor}
          name="advisor"
          defaultValue={visit?.advisor?.user_id ?? ''}
          data={[
            { value: '', label: words.nobody },
            ...advisors.map(({ user_id, name }) => ({ value: user_id, label: visibleText(name) })),
          ]}
        />
        <ConsentField visit={visit} />
      </ActionForm>
    </Dialog>
  );
}

function ConsentField({ visit }: Pick<EditProps, 'visit'>) {
  const { consent: t } = useTexts().customers;
  const { language } = useLanguage();
  const given = visit?.consent ?? null;
  return (
    <Stack gap={4}>
      <Checkbox name="consent" label={t.agrees} defaultChecked={given !== null} />
      <Text size="sm" c="dimmed">
        {given ? CONSENT_TEXTS[given.version][given.language] : CONSENT_TEXTS[NEWEST_CONSENT][language]}
      </Text>
      {given && <Text size="sm">{t.withdraw}</Text>}
    </Stack>
  );
}

/** Only what the person changed, so that two people at two screens do not undo each other's work. */
function changes(
  fields: FormData,
  visit: Visit | null,
  details: VisitDetails | null,
): { -readonly [Name in keyof ChangeVisitRequest]: ChangeVisitRequest[Name] } {
  const values = FIELDS.map((name) => [name, field(fields, name).trim() || null] as const);
  const changed = Object.fromEntries(values.filter(([name, value]) => value !== (details?.[name] ?? null)));
  const advisor = field(fields, 'advisor') || null;
  return { ...changed, ...(advisor === (visit?.advisor?.user_id ?? null) ? {} : { advisor_id: advisor }) };
}
