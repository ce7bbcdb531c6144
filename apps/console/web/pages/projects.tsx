import type { Project } from '@tire/contracts/console';
import { Anchor, Badge, Button, Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../api/client';
import { projectsOf, useProjects } from '../api/project';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { visibleText } from '../ui/visible-text';
import { Empty, Facts, Loaded, Portions, Row } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { Page } from '../ui/page';
import { NotFound } from './not-found';

export function ModeBadge({ mode }: { mode: Project['mode'] }) {
  const t = useTexts();
  return (
    <Badge variant="light" color={mode === 'live' ? 'blue' : 'gray'}>
      {t.projects.modes[mode]}
    </Badge>
  );
}

export function ProjectsPage() {
  const place = usePlace();
  return place ? <Projects place={place} /> : <NotFound />;
}

function Projects({ place }: { place: Place }) {
  const t = useTexts();
  const [creating, setCreating] = useState(false);
  const path = `/organizations/${place.organization_id}/projects`;
  const query = useProjects(place);
  const create = place.can('projects.manage') && <Button onClick={() => setCreating(true)}>{t.projects.create}</Button>;
  const actions = query.data && query.data.projects.length > 0 && (
    <>
      {place.can('usage.read') && (
        <Button component={Link} href={`/organizations/${place.organization_id}/usage`} variant="default">
          {t.usage.ofAll}
        </Button>
      )}
      {create}
    </>
  );
  return (
    <Page title={t.projects.title} text={t.projects.text} actions={actions}>
      <Loaded query={query}>
        {({ projects }) =>
          projects.length === 0 ? (
            <Empty title={t.projects.empty} text={create ? t.projects.emptyText : t.projects.emptyForMembers}>
              {create}
            </Empty>
          ) : (
            <Portions label={t.projects.title} items={projects}>
              {(project) => <ProjectRow key={project.project_id} project={project} path={path} />}
            </Portions>
          )
        }
      </Loaded>
      {creating && (
        <CreateProject
          path={path}
          organizationId={place.organization_id}
          hasTest={query.data?.projects.some(({ mode }) => mode === 'test') ?? false}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function ProjectRow({ project: { project_id, name, mode, created_at }, path }: { project: Project; path: string }) {
  const t = useTexts();
  return (
    <Row>
      <div className="row-name">
        <Anchor component={Link} href={`${path}/${project_id}`} fw={600}>
          <bdi>{visibleText(name)}</bdi>
        </Anchor>
        <ModeBadge mode={mode} />
      </div>
      <Facts>
        <span>
          {t.projects.created} <Timestamp at={created_at} />
        </span>
      </Facts>
    </Row>
  );
}

interface CreateProjectProps {
  readonly path: string;
  readonly organizationId: string;
  readonly hasTest: boolean;
  readonly onClose: () => void;
}

function CreateProject({ path, organizationId, hasTest, onClose }: CreateProjectProps) {
  const t = useTexts();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = async (fields: FormData) => {
    const { project_id } = await call<Project>('POST', path, { name: field(fields, 'name'), mode: field(fields, 'mode') });
    await queries.invalidateQueries({ queryKey: projectsOf(organizationId) });
    go(`${path}/${project_id}`);
  };
  return (
    <Dialog title={t.projects.create} onClose={onClose}>
      <ActionForm submit={t.projects.create} action={create} messages={{ conflict: t.projects.testExists }} onCancel={onClose}>
        <TextInput label={t.projects.name} name="name" maxLength={NAME_LENGTH_MAX} required data-autofocus />
        <Radio.Group label={t.projects.mode} name="mode" defaultValue={hasTest ? 'live' : 'test'}>
          <Stack gap="xs" mt="xs">
            {(['test', 'live'] as const).map((mode) => (
              <Radio
                key={mode}
                value={mode}
                label={t.projects.modes[mode]}
                description={mode === 'test' && hasTest ? t.projects.testExists : t.projects.modeTexts[mode]}
                disabled={mode === 'test' && hasTest}
              />
            ))}
          </Stack>
        </Radio.Group>
      </ActionForm>
    </Dialog>
  );
}
