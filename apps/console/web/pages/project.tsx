import type { IssuedApiKey, Project } from '@tire/contracts/console';
import { Anchor, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useParams } from 'wouter';
import { call } from '../api/client';
import { ProjectContext, projectsOf, useProject, useProjects } from '../api/project';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { navigationOf, type NavigationEntry } from '../navigation';
import { PROJECT_PARTS } from '../project-parts';
import { LazyPage } from '../ui/lazy-page';
import { Dialog } from '../ui/dialog';
import { Failed } from '../ui/failed';
import { ActionForm, field } from '../ui/form';
import { visibleText } from '../ui/visible-text';
import { Loaded } from '../ui/listing';
import { Page } from '../ui/page';
import { isAt, NavItem } from '../ui/shell';
import { NotFound } from './not-found';
import { ModeBadge } from './projects';

export function ProjectArea() {
  const place = usePlace();
  const { projectId } = useParams<{ projectId: string }>();
  return place ? <FoundProject key={projectId} place={place} projectId={projectId} /> : <NotFound />;
}

function FoundProject({ place, projectId }: { place: Place; projectId: string }) {
  const query = useProjects(place);
  const [issuedKey, keepIssuedKey] = useState<IssuedApiKey | null>(null);
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Loaded query={query}>
      {({ projects }) => {
        const project = projects.find(({ project_id }) => project_id === projectId);
        if (!project) return <NotFound />;
        const path = `/organizations/${place.organization_id}/projects/${projectId}`;
        return (
          <ProjectContext value={{ place, project, path, issuedKey, keepIssuedKey }}>
            <ProjectHead />
            <Parts />
          </ProjectContext>
        );
      }}
    </Loaded>
  );
}

function Parts() {
  const { place, project, path } = useProject();
  const [at] = useLocation();
  const first = PROJECT_PARTS.find(({ name, needs }) => name && place.can(needs));
  return (
    <LazyPage key={at}>
      <Switch>
        <Route path={path}>{first ? <Redirect to={`${path}${first.path}`} replace /> : <Page title={project.name} />}</Route>
        {PROJECT_PARTS.filter(({ needs }) => place.can(needs)).map((part) => (
          <Route key={part.path} path={`${path}${part.path}`} component={part.page} />
        ))}
        <Route component={NotFound} />
      </Switch>
    </LazyPage>
  );
}

function ProjectHead() {
  const t = useTexts();
  const { place, project } = useProject();
  const [renaming, setRenaming] = useState(false);
  return (
    <div className="project-head">
      <div className="project-name">
        <Anchor component={Link} href={`/organizations/${place.organization_id}/projects`} size="sm">
          {t.project.all}
        </Anchor>
        <span aria-hidden="true">/</span>
        <strong className="wraps">{visibleText(project.name)}</strong>
        <ModeBadge mode={project.mode} />
        {place.can('projects.manage') && (
          <Button variant="subtle" size="compact-sm" onClick={() => setRenaming(true)}>
            {t.projects.rename}
          </Button>
        )}
      </div>
      <ProjectNavigation />
      {renaming && <RenameProject project={project} onClose={() => setRenaming(false)} />}
    </div>
  );
}

/** The parts of the group that is open have a row of their own. */
function ProjectNavigation() {
  const t = useTexts();
  const { place, path } = useProject();
  const [location] = useLocation();
  const entries = navigationOf(PROJECT_PARTS, (permission) => place.can(permission));
  const isOpen = ({ parts }: NavigationEntry) => parts.some((part) => isAt(location, `${path}${part.path}`));
  const open = entries.find((entry) => entry.group !== undefined && isOpen(entry));
  return (
    <nav aria-label={t.project.parts} className="parts">
      <ul>
        {entries.map((entry) => {
          const [first] = entry.parts;
          const { group } = entry;
          if (group === undefined)
            return (
              <NavItem key={first.path} href={`${path}${first.path}`}>
                {t.project.names[first.name]}
              </NavItem>
            );
          return (
            <li key={group}>
              <Link href={`${path}${first.path}`} className="nav-item" aria-current={entry === open ? 'true' : undefined}>
                {t.project.groups[group]}
              </Link>
            </li>
          );
        })}
      </ul>
      {open?.group && (
        <ul aria-label={t.project.groups[open.group]} className="parts-of-group">
          {open.parts.map((part) => (
            <NavItem key={part.path} href={`${path}${part.path}`}>
              {t.project.names[part.name]}
            </NavItem>
          ))}
        </ul>
      )}
    </nav>
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
        <TextInput label={t.projects.name} name="name" defaultValue={project.name} maxLength={NAME_LENGTH_MAX} required data-autofocus />
      </ActionForm>
    </Dialog>
  );
}
