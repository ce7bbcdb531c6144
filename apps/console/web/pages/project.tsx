import type { Project, ProjectList } from '@tire/contracts';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { call } from '../api/client';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Loaded } from '../ui/listing';
import { Page } from '../ui/page';
import { KeysSection } from './keys';
import { NotYours } from './not-yours';
import { ModeBadge, projectsOf } from './projects';
import { QuickStart } from './quick-start';

export function ProjectPage() {
  const place = usePlace();
  const { projectId } = useParams<{ projectId: string }>();
  return place ? <FoundProject key={projectId} place={place} projectId={projectId} /> : <NotYours />;
}

function FoundProject({ place, projectId }: { place: Place; projectId: string }) {
  const path = `/organizations/${place.organization_id}/projects`;
  const query = useQuery({ queryKey: projectsOf(place.organization_id), queryFn: () => call<ProjectList>('GET', path) });
  return (
    <Loaded query={query}>
      {({ projects }) => {
        const project = projects.find(({ project_id }) => project_id === projectId);
        return project ? <ProjectParts place={place} project={project} /> : <NotYours />;
      }}
    </Loaded>
  );
}

function ProjectParts({ place, project }: { place: Place; project: Project }) {
  const t = useTexts();
  const [renaming, setRenaming] = useState(false);
  const [issued, setIssued] = useState<string | null>(null);
  const rename = place.can('projects.manage') && (
    <Button variant="default" onClick={() => setRenaming(true)}>
      {t.projects.rename}
    </Button>
  );
  return (
    <Page
      title={project.name}
      text={t.projects.modeTexts[project.mode]}
      actions={
        <>
          <ModeBadge mode={project.mode} />
          {rename}
        </>
      }
    >
      {place.can('keys.read') && <KeysSection project={project} mayManage={place.can('keys.manage')} onIssued={setIssued} />}
      {place.can('keys.read') && <QuickStart keyValue={issued} />}
      {renaming && <RenameProject project={project} onClose={() => setRenaming(false)} />}
    </Page>
  );
}

function RenameProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const rename = async (fields: FormData) => {
    await call<Project>('PATCH', `/projects/${project.project_id}`, { name: field(fields, 'name') });
    await queries.invalidateQueries({ queryKey: projectsOf(project.organization_id) });
    onClose();
  };
  return (
    <Dialog title={t.projects.rename} onClose={onClose}>
      <ActionForm submit={t.common.save} action={rename} onCancel={onClose}>
        <TextInput label={t.projects.name} name="name" defaultValue={project.name} maxLength={100} required data-autofocus />
      </ActionForm>
    </Dialog>
  );
}
