import type { Delivery, DeliveryList } from '@tire/contracts/console';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../../api/pages';
import { useProject } from '../../api/project';
import { deliveriesOf } from '../../api/webhooks';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Timestamp } from '../../ui/timestamp';
import { ListFilter } from '../../ui/list-filter';
import { More } from '../../ui/more';
import { Section } from '../../ui/page';
import { DeliveryState, Outcome } from './delivery-state';

type Chosen = Delivery['state'] | '';

export function Deliveries() {
  const t = useTexts();
  const { project } = useProject();
  const [state, setState] = useState<Chosen>('');
  const path = `/projects/${project.project_id}/deliveries${state && `?state=${state}`}`;
  const query = usePages<DeliveryList>([...deliveriesOf(project.project_id), 'list', state], path);
  const choice = (
    <ListFilter
      label={t.deliveries.filter}
      value={state}
      options={[{ value: '', label: t.deliveries.all }, ...Object.entries(t.deliveries.states).map(([value, label]) => ({ value, label }))]}
      onChange={(value) => setState(value as Chosen)}
      query={query}
    />
  );
  return (
    <Section title={t.deliveries.title} text={t.deliveries.text} actions={choice}>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.deliveries.length === 0 ? (
            <Empty title={state ? t.deliveries.noneInState : t.deliveries.empty} text={state ? undefined : t.deliveries.emptyText} />
          ) : (
            <Rows label={t.deliveries.title}>
              {pages.flatMap(({ deliveries }) => deliveries.map((one) => <DeliveryRow key={one.callback_id} delivery={one} />))}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const t = useTexts();
  const { path } = useProject();
  const { callback_id, type, url, state, queued_at, attempt_count, http_status, failure } = delivery;
  return (
    <Row>
      <div className="row-name">
        <Anchor component={Link} href={`${path}/webhooks/${callback_id}`} fw={600}>
          {t.deliveries.types[type]}
        </Anchor>
        <DeliveryState state={state} />
      </div>
      <Facts>
        <Timestamp at={queued_at} />
        <span>{visibleText(url) || t.deliveries.discarded}</span>
        <span>{t.deliveries.attempts(attempt_count)}</span>
        <span>
          <Outcome status={http_status} failure={failure} />
        </span>
      </Facts>
    </Row>
  );
}
