import type { Erasure, ErasureCertificate, KeptCount } from '@tire/contracts/console';
import { ERASURE_LIMITS } from '@tire/contracts/limits';
import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useErasure, useErasureActions } from '../../api/erasures';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { AccountName } from '../../ui/account-name';
import { Dialog } from '../../ui/dialog';
import { Done } from '../../ui/done';
import { ActionForm, field } from '../../ui/form';
import { Loaded } from '../../ui/listing';
import { Page, Section } from '../../ui/page';
import { Password } from '../../ui/password';
import { saveAs } from '../../ui/save-as';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

/** One erasure: what would be removed, the confirmation, and the certificate, which can be printed. */
export function ErasurePage() {
  const { privacy: t } = useTexts();
  const { project } = useProject();
  const { erasureId } = useParams<{ erasureId: string }>();
  const query = useErasure(project.project_id, erasureId);
  return (
    <Loaded query={query}>
      {(erasure) => (
        <Page title={erasure.certificate ? t.certificate : t.kinds[erasure.kind]} text={t.states[erasure.state]}>
          {erasure.subject !== null && (
            <Text>
              {t.kinds[erasure.kind]}: <bdi>{visibleText(erasure.subject)}</bdi>
            </Text>
          )}
          {erasure.state === 'erasing' && <Progress progress={erasure.progress} />}
          {erasure.state === 'counted' && <Preview erasure={erasure} />}
          {erasure.certificate && <Certificate certificate={erasure.certificate} />}
        </Page>
      )}
    </Loaded>
  );
}

function Progress({ progress: { erased, held, left } }: Pick<Erasure, 'progress'>) {
  const { privacy: t } = useTexts();
  return <Text role="status">{t.progress(erased, erased + held + left)}</Text>;
}

function Preview({ erasure }: { readonly erasure: Erasure }) {
  const { privacy: t } = useTexts();
  const { project } = useProject();
  const actions = useErasureActions(project.project_id);
  const [isOpen, setOpen] = useState(false);
  const { preview, kind } = erasure;
  if (!preview) return null;
  return (
    <Stack>
      <Section title={t.previewTitle} text={t.previewText}>
        <Text>{t.found(preview.reports, preview.published)}</Text>
        {preview.held > 0 && <Alert color="yellow">{t.heldText(preview.held)}</Alert>}
        {kind === 'name' && preview.reports > 0 && <Alert color="yellow">{t.sameName}</Alert>}
        <Counts counts={preview.counts} label={t.previewTitle} />
      </Section>
      <Group>
        <Button color="red" onClick={() => setOpen(true)}>
          {t.erase}
        </Button>
        <Button variant="default" onClick={() => void actions.cancel(erasure.erasure_id)}>
          {t.cancel}
        </Button>
      </Group>
      {isOpen && <ConfirmDialog erasureId={erasure.erasure_id} reports={preview.reports} onClose={() => setOpen(false)} />}
    </Stack>
  );
}

interface ConfirmDialogProps {
  readonly erasureId: string;
  readonly reports: number;
  readonly onClose: () => void;
}

function ConfirmDialog({ erasureId, reports, onClose }: ConfirmDialogProps) {
  const { privacy: t } = useTexts();
  const { project } = useProject();
  const actions = useErasureActions(project.project_id);
  const confirm = async (fields: FormData) => {
    await actions.confirm(erasureId, { reason: field(fields, 'reason'), password: field(fields, 'password') });
    onClose();
  };
  return (
    <Dialog title={t.eraseTitle} onClose={onClose}>
      <ActionForm submit={t.erase} danger action={confirm} messages={{ password: t.wrongPassword }} onCancel={onClose}>
        <Text size="sm">{t.eraseText(reports)}</Text>
        <TextInput
          label={t.reason}
          description={t.reasonHint}
          name="reason"
          maxLength={ERASURE_LIMITS.reason}
          autoComplete="off"
          required
        />
        <AccountName />
        <Password label={t.password} name="password" autoComplete="current-password" required />
      </ActionForm>
    </Dialog>
  );
}

function Counts({ counts, label }: { readonly counts: readonly KeptCount[]; readonly label: string }) {
  const { privacy: t } = useTexts();
  const names: Readonly<Record<string, string>> = t.things;
  const stores: Readonly<Record<string, string>> = t.stores;
  if (counts.length === 0) return <Text>{t.nothing}</Text>;
  return (
    <Table aria-label={label}>
      <Table.Tbody>
        {counts.map(({ store, what, count }) => (
          <Table.Tr key={`${store} ${what}`}>
            <Table.Td>{names[what] ?? what}</Table.Td>
            <Table.Td>{stores[store] ?? store}</Table.Td>
            <Table.Td ta="right">{count.toLocaleString()}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Certificate({ certificate }: { readonly certificate: ErasureCertificate }) {
  const { privacy: t } = useTexts();
  const { language } = useLanguage();
  const facts = [
    [t.facts.service, certificate.service],
    [t.facts.about, t.kinds[certificate.subject.kind]],
    [t.facts.digest, certificate.subject.digest],
    [t.facts.requested, <Timed key="requested" at={certificate.requested_at} by={certificate.requested_by} />],
    [t.facts.confirmed, <Timed key="confirmed" at={certificate.confirmed_at} by={certificate.confirmed_by} />],
    [t.facts.ended, <Timestamp key="ended" at={certificate.ended_at} exact />],
    [t.facts.reason, visibleText(certificate.reason)],
    [t.facts.reports, `${certificate.report_ids.length}`],
    [t.facts.held, `${certificate.held_report_ids.length}`],
    [t.facts.signature, certificate.signature],
  ] as const;
  const save = () =>
    saveAs(new Blob([JSON.stringify(certificate, null, 2)], { type: 'application/json' }), `erasure-${certificate.erasure_id}.json`);
  return (
    <Stack>
      <Table aria-label={t.certificate}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className="wraps">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Section title={t.removed}>
        <Counts counts={certificate.removed} label={t.removed} />
      </Section>
      <Section title={t.remaining}>
        {certificate.held_report_ids.length > 0 && <Text>{t.heldText(certificate.held_report_ids.length)}</Text>}
        <Counts counts={certificate.remaining} label={t.remaining} />
      </Section>
      <Section title={t.stays}>
        <ul>
          {certificate.stays.map(({ what, why, until }) => (
            <li key={what}>
              {why[language]}
              {until !== null && ` ${t.until(until.slice(0, 10))}`}
            </li>
          ))}
        </ul>
      </Section>
      <Group className="screen-only">
        <Button onClick={() => window.print()}>{t.print}</Button>
        <Button variant="default" onClick={save}>
          {t.download}
        </Button>
      </Group>
      <Check certificate={certificate} />
    </Stack>
  );
}

function Timed({ at, by }: { readonly at: string; readonly by: string }) {
  return (
    <>
      <Timestamp at={at} exact />, <bdi>{visibleText(by)}</bdi>
    </>
  );
}

/** The value is not kept. A member who has it can check whether the certificate is about it, and print it with the certificate then. */
function Check({ certificate }: { readonly certificate: ErasureCertificate }) {
  const { privacy: t } = useTexts();
  const { project } = useProject();
  const actions = useErasureActions(project.project_id);
  const [checked, setChecked] = useState<{ readonly value: string; readonly isOf: boolean } | null>(null);
  const check = async (fields: FormData) => {
    const value = field(fields, 'value');
    const { is_of_value } = await actions.check(certificate, value);
    setChecked({ value, isOf: is_of_value === true });
  };
  return (
    <>
      {checked?.isOf && <Done text={t.isOf(visibleText(checked.value))} />}
      {checked && !checked.isOf && <Alert color="red">{t.isNotOf}</Alert>}
      <div className="form-narrow screen-only">
        <ActionForm submit={t.check} action={check} messages={{ value: t.wrongValue }}>
          <TextInput label={t.checkLabel} name="value" maxLength={ERASURE_LIMITS.subject} autoComplete="off" required />
        </ActionForm>
      </div>
    </>
  );
}
