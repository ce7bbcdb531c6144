import type { ListedErasure } from '@tire/contracts/console';
import { ERASURE_LIMITS, SUBJECT_KINDS, type SubjectKind } from '@tire/contracts/limits';
import { Anchor, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useErasureActions, useErasures } from '../../api/erasures';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { AccountName } from '../../ui/account-name';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Page, Section } from '../../ui/page';
import { Password } from '../../ui/password';
import { saveAs } from '../../ui/save-as';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

/** Erasure and export of what is kept about a person or a vehicle. */
export function PrivacyPage() {
  const { privacy: t } = useTexts();
  const { project } = useProject();
  return (
    <Page title={t.title} text={t.text}>
      <SubjectForm projectId={project.project_id} />
      <Section title={t.list}>
        <ErasureRows projectId={project.project_id} />
      </Section>
    </Page>
  );
}

function SubjectForm({ projectId }: { readonly projectId: string }) {
  const { privacy: t } = useTexts();
  const { path } = useProject();
  const [, go] = useLocation();
  const actions = useErasureActions(projectId);
  const [kind, setKind] = useState<SubjectKind>('plate');
  const [value, setValue] = useState('');
  const [isExporting, setExporting] = useState(false);
  const count = async () => {
    const { erasure_id } = await actions.request({ kind, value });
    go(`${path}/privacy/${erasure_id}`);
  };
  return (
    <div className="form-narrow">
      <ActionForm submit={t.count} action={count} messages={{ value: t.wrongValue, conflict: t.tooManyOpen }}>
        <NativeSelect
          label={t.kind}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as SubjectKind)}
          data={SUBJECT_KINDS.map((each) => ({ value: each, label: t.kinds[each] }))}
        />
        <TextInput
          label={t.value}
          description={t.hints[kind]}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          maxLength={ERASURE_LIMITS.subject}
          autoComplete="off"
          required
        />
        <Text size="sm">{t.nothingYet}</Text>
      </ActionForm>
      <Group mt="md">
        <Button variant="default" disabled={value.trim() === ''} onClick={() => setExporting(true)}>
          {t.export}
        </Button>
      </Group>
      {isExporting && <ExportDialog projectId={projectId} subject={{ kind, value }} onClose={() => setExporting(false)} />}
    </div>
  );
}

interface ExportProps {
  readonly projectId: string;
  readonly subject: { readonly kind: SubjectKind; readonly value: string };
  readonly onClose: () => void;
}

function ExportDialog({ projectId, subject, onClose }: ExportProps) {
  const { privacy: t } = useTexts();
  const actions = useErasureActions(projectId);
  const save = async (fields: FormData) => {
    const file = await actions.exported({ ...subject, password: field(fields, 'password') });
    saveAs(file, `subject-${new Date().toISOString().slice(0, 10)}.zip`);
    onClose();
  };
  return (
    <Dialog title={t.exportTitle} onClose={onClose}>
      <ActionForm
        submit={t.export}
        action={save}
        messages={{ password: t.wrongPassword, value: t.wrongValue, conflict: t.tooManyReports }}
        onCancel={onClose}
      >
        <Text size="sm">{t.exportText}</Text>
        <AccountName />
        <Password label={t.password} name="password" autoComplete="current-password" required />
      </ActionForm>
    </Dialog>
  );
}

function ErasureRows({ projectId }: { readonly projectId: string }) {
  const { privacy: t } = useTexts();
  const query = useErasures(projectId);
  return (
    <Loaded query={query}>
      {({ erasures }) =>
        erasures.length === 0 ? (
          <Empty title={t.none} />
        ) : (
          <Rows label={t.list}>
            {erasures.map((erasure) => (
              <ErasureRow key={erasure.erasure_id} erasure={erasure} />
            ))}
          </Rows>
        )
      }
    </Loaded>
  );
}

function ErasureRow({
  erasure: { erasure_id, kind, state, subject, requested_at, requested_by, progress },
}: {
  readonly erasure: ListedErasure;
}) {
  const { privacy: t } = useTexts();
  const { path } = useProject();
  return (
    <Row>
      <div className="row-name">
        <Anchor component={Link} href={`${path}/privacy/${erasure_id}`}>
          {t.kinds[kind]}
          {subject !== null && `: ${visibleText(subject)}`}
        </Anchor>
      </div>
      <Facts>
        <span>{t.states[state]}</span>
        {state === 'erasing' && <span>{t.progress(progress.erased, progress.erased + progress.left + progress.held)}</span>}
        <bdi>{visibleText(requested_by)}</bdi>
        <Timestamp at={requested_at} />
      </Facts>
    </Row>
  );
}
