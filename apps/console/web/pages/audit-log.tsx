import type { AuditLog } from '@tire/contracts';
import { usePages } from '../api/pages';
import { useProjects } from '../api/project';
import { usePlace, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Moment } from '../ui/moment';
import { More } from '../ui/more';
import { Page } from '../ui/page';
import { NotYours } from './not-yours';

type Entry = AuditLog['entries'][number];

export function AuditLogPage() {
  const place = usePlace();
  return place?.can('audit_log.read') ? <Entries place={place} /> : <NotYours />;
}

function Entries({ place }: { place: Place }) {
  const t = useTexts();
  const key = ['organization', place.organization_id, 'audit-log'];
  const query = usePages<AuditLog>(key, `/organizations/${place.organization_id}/audit-log?limit=50`);
  const projects = useProjects(place).data?.projects ?? [];
  const nameOf = ({ project_id }: Entry) => projects.find((project) => project.project_id === project_id)?.name;
  return (
    <Page title={t.audit.title} text={t.audit.text}>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <Empty title={t.audit.empty} />
          ) : (
            <Rows label={t.audit.title}>
              {pages.flatMap(({ entries }) =>
                entries.map((entry) => <EntryRow key={entry.entry_id} entry={entry} project={nameOf(entry)} />),
              )}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}

function EntryRow({ entry, project }: { entry: Entry; project: string | undefined }) {
  const t = useTexts();
  const details = Object.entries(entry.details).map(([name, value]) => `${name}: ${value}`);
  return (
    <Row>
      <div className="row-name">
        {t.audit.actions[entry.action]}
        {entry.subject && <span className="subject">{entry.subject}</span>}
      </div>
      <Facts>
        <Moment at={entry.at} exact />
        {project && <span>{project}</span>}
        <span>{entry.actor?.email ?? t.audit.commandLine}</span>
        <span>{t.audit.from(entry.address)}</span>
        {details.length > 0 && <span>{details.join(', ')}</span>}
      </Facts>
    </Row>
  );
}
