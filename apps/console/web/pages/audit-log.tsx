import type { AuditLog, Project } from '@tire/contracts';
import { Anchor, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../api/pages';
import { useProjects } from '../api/project';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { harmless } from '../ui/harmless';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Moment } from '../ui/moment';
import { More } from '../ui/more';
import { Page } from '../ui/page';
import { Refresh } from '../ui/refresh';
import { detailTexts } from './audit-details';
import { NotYours } from './not-yours';

type Entry = AuditLog['entries'][number];

export function AuditLogPage() {
  const place = usePlace();
  return place?.can('audit_log.read') ? <Entries place={place} /> : <NotYours />;
}

function Entries({ place }: { place: Place }) {
  const t = useTexts();
  const [projectId, setProjectId] = useState('');
  const asked = `/organizations/${place.organization_id}/audit-log?limit=50${projectId && `&project_id=${projectId}`}`;
  const query = usePages<AuditLog>(['organization', place.organization_id, 'audit-log', projectId], asked);
  const projects = useProjects(place).data?.projects ?? [];
  const projectOf = ({ project_id }: Entry) => projects.find((project) => project.project_id === project_id);
  const choice = (
    <>
      <NativeSelect
        size="xs"
        aria-label={t.audit.project}
        value={projectId}
        onChange={(event) => setProjectId(event.currentTarget.value)}
        data={[
          { value: '', label: t.audit.everything },
          ...projects.map(({ project_id, name }) => ({ value: project_id, label: harmless(name) })),
        ]}
      />
      <Refresh query={query} size="xs" />
    </>
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
        <Moment at={entry.at} exact />
        {project && <bdi>{harmless(project.name)}</bdi>}
        <span>{entry.actor?.email ?? t.audit.commandLine}</span>
        <span>{t.audit.from(entry.address)}</span>
        {detailTexts(entry, t).map((text) => (
          <bdi key={text}>{text}</bdi>
        ))}
      </Facts>
    </Row>
  );
}

/** Leads to what there is a page of. The id of a key or a project says nothing: their names stand below. */
function Subject({ entry: { action, subject }, project }: EntryProps) {
  if (subject === null || action.startsWith('key.') || action.startsWith('project.')) return null;
  const pages = action.startsWith('report.') ? 'reports' : action.startsWith('callback.') ? 'webhooks' : null;
  if (pages === null) return <bdi className="subject">{harmless(subject)}</bdi>;
  if (!project || action === 'report.discarded') return <code className="subject">{subject}</code>;
  const path = `/organizations/${project.organization_id}/projects/${project.project_id}/${pages}/${subject}`;
  return (
    <Anchor component={Link} href={path} size="sm" className="subject">
      {subject}
    </Anchor>
  );
}
