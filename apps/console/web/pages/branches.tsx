import type { Branch, ChangeBranchRequest, Project } from '@tire/contracts/console';
import { BRANCH_LIMITS } from '@tire/contracts/limits';
import { Badge, Box, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { branchesOf, useBranches } from '../api/branches';
import { call } from '../api/client';
import { projectsOf, useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Confirm, Dialog } from '../ui/dialog';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { LogoActions } from '../ui/logo-actions';
import { Page, Section } from '../ui/page';
import { Secret } from '../ui/secret';
import { visibleText } from '../ui/visible-text';

/** In place of the id of a branch, for one that is added. */
const NEW = 'new';

/** The branches of the project, and the zone in which its days begin. */
export function BranchesPage() {
  const { branches: t } = useTexts();
  const { place, project } = useProject();
  const query = useBranches(project.project_id);
  const mayChange = place.can('projects.manage');
  const [editing, setEditing] = useState<string | null>(null);
  // As it is now: its logo may change while it is edited.
  const edited = query.data?.branches.find(({ branch_id }) => branch_id === editing);
  const add = mayChange ? <Button onClick={() => setEditing(NEW)}>{t.add}</Button> : undefined;
  return (
    <Page title={t.title} text={t.text} actions={add}>
      <Box mb="lg">
        <Loaded query={query}>
          {({ branches }) =>
            branches.length === 0 ? (
              <Empty title={t.none} text={mayChange ? t.noneText : t.readOnly} />
            ) : (
              <Rows label={t.title}>
                {branches.map((branch) => (
                  <BranchRow key={branch.branch_id} branch={branch} onEdit={mayChange ? () => setEditing(branch.branch_id) : null} />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Box>
      <Section title={t.zone.title} text={t.zone.text}>
        {mayChange ? <ZoneForm project={project} /> : <Text>{project.time_zone ?? t.zone.none}</Text>}
      </Section>
      {(edited || editing === NEW) && <EditBranch branch={edited ?? null} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function BranchRow({ branch, onEdit }: { branch: Branch; onEdit: (() => void) | null }) {
  const { branches: t } = useTexts();
  const { place } = useProject();
  const isArchived = branch.archived_at !== null;
  const [asked, setAsked] = useState(false);
  const change = useChangedBranch();
  const actions = onEdit && (
    <Group gap="sm">
      <Button variant="default" size="xs" onClick={onEdit}>
        {t.edit}
      </Button>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {isArchived ? t.restore : t.archive}
      </Button>
    </Group>
  );
  const toggle = () => change(branch.branch_id, { ...textsOf(branch), archived: !isArchived });
  return (
    <Row actions={actions}>
      <Group gap="xs">
        <Text fw={600}>{visibleText(branch.name)}</Text>
        {isArchived && (
          <Badge variant="light" color="gray">
            {t.archived}
          </Badge>
        )}
      </Group>
      <Facts>
        {branch.phone !== null && <span>{branch.phone}</span>}
        {branch.address !== null && <span>{visibleText(branch.address)}</span>}
        {branch.opening_hours !== null && <span>{visibleText(branch.opening_hours.replaceAll('\n', ', '))}</span>}
      </Facts>
      {place.can('keys.read') && (
        <Group gap="xs">
          <Text size="sm">branch_id</Text>
          <Secret label={t.idOf(visibleText(branch.name))} value={branch.branch_id} />
        </Group>
      )}
      {branch.logo?.url && <img className="partner-logo" src={branch.logo.url} alt={t.logoOf} width={branch.logo.width_px} />}
      {asked && (
        <Confirm
          title={isArchived ? t.restoreOf(branch.name) : t.archiveOf(branch.name)}
          text={isArchived ? t.restoreText : t.archiveText}
          submit={isArchived ? t.restore : t.archive}
          danger={false}
          action={toggle}
          onClose={() => setAsked(false)}
        />
      )}
    </Row>
  );
}

type BranchTexts = Omit<ChangeBranchRequest, 'archived'>;

const textsOf = ({ name, phone, address, opening_hours }: Branch): BranchTexts => ({ name, phone, address, opening_hours });

function useChangedBranch() {
  const { project } = useProject();
  const queries = useQueryClient();
  return async (branchId: string | null, body: ChangeBranchRequest) => {
    const path = `/projects/${project.project_id}/branches`;
    await (branchId === null ? call<Branch>('POST', path, body) : call<Branch>('PATCH', `${path}/${branchId}`, body));
    await queries.invalidateQueries({ queryKey: branchesOf(project.project_id) });
  };
}

function EditBranch({ branch, onClose }: { branch: Branch | null; onClose: () => void }) {
  const { branches: t, common, partner } = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const change = useChangedBranch();
  const save = async (fields: FormData) => {
    const texts = {
      name: field(fields, 'name'),
      phone: field(fields, 'phone') || null,
      address: field(fields, 'address') || null,
      opening_hours: field(fields, 'opening_hours') || null,
    };
    await change(branch?.branch_id ?? null, { ...texts, archived: branch !== null && branch.archived_at !== null });
    onClose();
  };
  const changed = () => queries.invalidateQueries({ queryKey: branchesOf(project.project_id) });
  return (
    <Dialog title={branch === null ? t.add : t.editOf(branch.name)} onClose={onClose}>
      <Stack>
        <ActionForm submit={common.save} action={save} onCancel={onClose} messages={{ phone: partner.phoneWrong, conflict: t.tooMany }}>
          <TextInput label={t.name} name="name" defaultValue={branch?.name} maxLength={BRANCH_LIMITS.name} required data-autofocus />
          <TextInput
            label={t.optional(partner.phone)}
            name="phone"
            type="tel"
            defaultValue={branch?.phone ?? ''}
            maxLength={BRANCH_LIMITS.phone}
            autoComplete="off"
          />
          <TextInput
            label={t.optional(t.address)}
            name="address"
            defaultValue={branch?.address ?? ''}
            maxLength={BRANCH_LIMITS.address}
            autoComplete="off"
          />
          <Textarea
            label={t.optional(t.hours)}
            description={t.hoursText}
            name="opening_hours"
            defaultValue={branch?.opening_hours ?? ''}
            maxLength={BRANCH_LIMITS.openingHours}
            rows={3}
          />
        </ActionForm>
        {branch !== null && (
          <Stack gap="xs" align="flex-start">
            <Text fw={600}>{t.logo}</Text>
            <Text size="sm">{t.logoText}</Text>
            <LogoActions
              path={`/projects/${project.project_id}/branches/${branch.branch_id}/logo`}
              hasLogo={branch.logo !== null}
              onChanged={changed}
            />
          </Stack>
        )}
      </Stack>
    </Dialog>
  );
}

/** Those of the browser; the chosen one is there in any case. */
function zonesWith(chosen: string | null): string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return chosen === null || known.includes(chosen) ? known : [chosen, ...known];
}

function ZoneForm({ project }: { project: Project }) {
  const { branches: t, common } = useTexts();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    await call<Project>('PATCH', `/projects/${project.project_id}/time-zone`, { time_zone: field(fields, 'time_zone') });
    await queries.invalidateQueries({ queryKey: projectsOf(project.organization_id) });
    setSaved(true);
  };
  const none = project.time_zone === null ? [{ value: '', label: t.zone.none, disabled: true }] : [];
  return (
    <Stack className="form-narrow">
      <ActionForm submit={common.save} action={save}>
        <NativeSelect
          name="time_zone"
          label={t.zone.title}
          defaultValue={project.time_zone ?? ''}
          required
          data={[...none, ...zonesWith(project.time_zone).map((zone) => ({ value: zone, label: zone }))]}
        />
      </ActionForm>
      {saved && <Done text={common.saved} />}
    </Stack>
  );
}
