import type { ListedVehicle, VehicleList } from '@tire/contracts/console';
import { LIMITS } from '@tire/contracts/limits';
import { Anchor, Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useQueryValue } from '../../api/address';
import { usePages } from '../../api/pages';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

const PAGE_SIZE = 20;

/** All names of a vehicle. The first one is what people call it. */
export const namesOf = ({
  plates,
  external_vehicle_ids,
  vins,
}: Pick<ListedVehicle, 'plates' | 'external_vehicle_ids' | 'vins'>): string[] => [...plates, ...external_vehicle_ids, ...vins];

export function useVehicleList(projectId: string, search: string) {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(search && { search }) });
  return usePages<VehicleList>(['project', projectId, 'vehicles', search], `/projects/${projectId}/vehicles?${query}`);
}

export function VehicleListPage() {
  const { vehicles: t } = useTexts();
  const { path, project } = useProject();
  const [, go] = useLocation();
  const search = useQueryValue('search').trim();
  const query = useVehicleList(project.project_id, search);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = field(new FormData(event.currentTarget), 'search').trim();
    go(wanted === '' ? `${path}/vehicles` : `${path}/vehicles?${new URLSearchParams({ search: wanted })}`);
  };
  return (
    <Page title={t.title} text={t.listText}>
      <form role="search" className="search" onSubmit={find} key={search}>
        <TextInput type="search" name="search" label={t.search} defaultValue={search} maxLength={LIMITS.externalId} autoComplete="off" />
        <div className="search-actions">
          <Button type="submit">{t.find}</Button>
        </div>
      </form>
      <Loaded query={query}>
        {({ pages }) =>
          pages.every(({ vehicles }) => vehicles.length === 0) ? (
            <Empty title={search === '' ? t.none : t.notFound(visibleText(search))} text={search === '' ? t.noneText : t.notFoundText} />
          ) : (
            <Rows label={t.title}>
              {pages.flatMap(({ vehicles }) => vehicles.map((vehicle) => <VehicleRow key={vehicle.vehicle_id} vehicle={vehicle} />))}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}

function VehicleRow({ vehicle }: { vehicle: ListedVehicle }) {
  const { vehicles: t } = useTexts();
  const { path } = useProject();
  const [name, ...others] = namesOf(vehicle);
  return (
    <Row>
      <Anchor component={Link} href={`${path}/vehicles/${vehicle.vehicle_id}`} fw={600} underline="always">
        <bdi>{name === undefined ? t.nameless : visibleText(name)}</bdi>
      </Anchor>
      <Facts>
        {others.length > 0 && <bdi>{visibleText(others.join(', '))}</bdi>}
        <span>{t.count(vehicle.inspections)}</span>
        {vehicle.last_inspected_at !== null && (
          <span>
            {t.last} <Timestamp at={vehicle.last_inspected_at} />
          </span>
        )}
      </Facts>
    </Row>
  );
}
