import type { AuditLog, Project } from '@tire/contracts/console';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../api/pages';
import { useProjects } from '../api/project';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { visibleText } from '../ui/visible-text';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { ListFilter } from '../ui/list-filter';
import { More } from '../ui/more';
import { Page } from '../ui/page';
import { detailTexts } from './audit-details';
import { NotFound } from './not-found';

type Entry = AuditLog['entries'][number];

export function AuditLogPage() {
  const place = usePlace();
  return place?.can('audit_log.read') ? <Entries place={place} /> : <NotFound />;
}

function Entries({ place }: { place: Place }) {
  const t = useTexts();
  const [projectId, setProjectId] = useState('');
  const path = `/organizations/${place.organization_id}/audit-log?limit=50${projectId && `&project_id=${projectId}`}`;
  const query = usePages<AuditLog>(['organization', place.organization_id, 'audit-log', projectId], path);
  const projects = useProjects(place).data?.projects ?? [];
  const projectOf = ({ project_id }: Entry) => projects.find((project) => project.project_id === project_id);
  const choice = (
    <ListFilter
      label={t.audit.project}
      value={projectId}
      options={[
        { value: '', label: t.audit.everything },
        ...projects.map(({ project_id, name }) => ({ value: project_id, label: visibleText(name) })),
      ]}
      onChange={setProjectId}
      query={query}
    />
  );
  return (
    <Page title={t.audit.title} text={t.audit.text} actions={choice}>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <Empty title={t.audit.empty} />
          ) : (
            <Rows label={t.audit.title}>
              {pages.flatMap(({ entries }) =>
                entries.map((entry) => <EntryRow key={entry.entry_id} entry={entry} project={projectOf(entry)} />),
              )}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}

interface EntryProps {
  readonly entry: Entry;
  readonly project: Project | undefined;
}

function EntryRow({ entry, project }: EntryProps) {
  const t = useTexts();
  return (
    <Row>
      <div className="row-name">
        {t.audit.actions[entry.action]}
        <Subject entry={entry} project={project} />
      </div>
      <Facts>
        <Timestamp at={entry.at} exact />
        {project && <bdi>{visibleText(project.name)}</bdi>}
        <span>{entry.actor?.email ?? t.audit.commandLine}</span>
        {entry.address !== '' && <span>{t.audit.from(entry.address)}</span>}
        {detailTexts(entry, t).map((text) => (
          <bdi key={text}>{text}</bdi>
        ))}
      </Facts>
    </Row>
  );
}

/** Links to the page of the object. Keys and projects are shown by name below. */
function Subject({ entry: { action, subject }, project }: EntryProps) {
  if (subject === null || action.startsWith('key.') || action.startsWith('project.')) return null;
  const pages =
    action.startsWith('report.') || action.startsWith('visit.') ? 'reports' : action.startsWith('callback.') ? 'webhooks' : null;
  if (pages === null) return <bdi className="subject">{visibleText(subject)}</bdi>;
  if (!project || action === 'report.discarded') return <code className="subject">{subject}</code>;
  const path = `/organizations/${project.organization_id}/projects/${project.project_id}/${pages}/${subject}`;
  return (
    <Anchor component={Link} href={path} size="sm" className="subject">
      {subject}
    </Anchor>
  );
}
