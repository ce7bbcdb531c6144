import type { Visit } from '@tire/contracts/console';
import { Anchor, TextInput } from '@mantine/core';
import { CUSTOMER_LIMITS } from '@tire/contracts/limits';
import { Link } from 'wouter';
import { useVisitSearch } from '../../api/customers';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { ActionForm, field } from '../../ui/form';
import { Empty, Facts, Row, Rows } from '../../ui/listing';
import { Page } from '../../ui/page';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

/** Finds the reports of a customer by the whole phone number. */
export function CustomersPage() {
  const { customers: t } = useTexts();
  const { project } = useProject();
  const search = useVisitSearch(project.project_id);
  const visits = search.data?.visits;
  return (
    <Page title={t.search.title} text={t.search.text}>
      <div className="form-narrow">
        <ActionForm
          submit={t.search.submit}
          action={(fields) => search.mutateAsync(field(fields, 'phone'))}
          messages={{ phone: t.wrongPhone }}
        >
          <TextInput label={t.fields.phone} name="phone" type="tel" maxLength={CUSTOMER_LIMITS.phone} autoComplete="off" required />
        </ActionForm>
      </div>
      <div className="after-rows" role="status">
        {visits?.length === 0 && <Empty title={t.search.none} />}
        {visits && visits.length > 0 && (
          <Rows label={t.search.found}>
            {visits.map((visit) => (
              <Found key={visit.report_id} visit={visit} />
            ))}
          </Rows>
        )}
      </div>
    </Page>
  );
}

function Found({ visit: { report_id, name, phone, advisor, updated_at } }: { visit: Visit }) {
  const { customers: t } = useTexts();
  const { path } = useProject();
  return (
    <Row>
      <div className="row-name">
        <Anchor component={Link} href={`${path}/reports/${report_id}`}>
          {name === null ? t.search.noName : visibleText(name)}
        </Anchor>
      </div>
      <Facts>
        {phone !== null && <span>{phone}</span>}
        {advisor && (
          <span>
            {t.fields.advisor}: <bdi>{visibleText(advisor.name)}</bdi>
          </span>
        )}
        <Timestamp at={updated_at} />
      </Facts>
    </Row>
  );
}
