import type { VehicleTread } from '@tire/contracts/api';
import type { VehicleHistory } from '@tire/contracts/console';
import { VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import { Anchor, Button } from '@mantine/core';
import { formatDepth } from '@tire/kernel/depths';
import { Link } from 'wouter';
import { useQueryValue } from '../../api/address';
import { useProject } from '../../api/project';
import { useVehicle } from '../../api/reports';
import { useLanguage, useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Empty, Loaded } from '../../ui/listing';
import { Page, Section } from '../../ui/page';
import { StandingSign } from '../../ui/sign';
import { useTimeZone } from '../../ui/timestamp';
import { DepthChart } from './depth-chart';
import { POSITIONS } from './positions';
import { VehicleListPage } from './vehicle-list';
import './reports.css';

/** With an own id in the address the history of that id, else the vehicles of the project. */
export function VehiclesPage() {
  const t = useTexts();
  const { path } = useProject();
  const vehicleId = useQueryValue('id');
  if (vehicleId === '') return <VehicleListPage />;
  const all = (
    <Button component={Link} href={`${path}/vehicles`} variant="default">
      {t.vehicles.all}
    </Button>
  );
  return (
    <Page title={t.vehicles.title} text={t.vehicles.text} actions={all}>
      <Vehicle vehicleId={vehicleId} />
    </Page>
  );
}

function Vehicle({ vehicleId }: { vehicleId: string }) {
  const t = useTexts();
  const { project } = useProject();
  const query = useVehicle(project.project_id, vehicleId);
  return (
    <Loaded query={query}>
      {({ inspections }) =>
        inspections.length === 0 ? (
          <Empty title={t.vehicles.notFound(visibleText(vehicleId))} text={t.vehicles.notFoundText} />
        ) : (
          <Section title={t.vehicles.history(visibleText(vehicleId))} text={t.vehicles.depthsText}>
            <DepthChart inspections={inspections} />
            <Inspections inspections={inspections} />
          </Section>
        )
      }
    </Loaded>
  );
}

/** A depth with its range, and what it does not say about the tire. */
export function Depth({ depthMm, tread }: { readonly depthMm: number | undefined; readonly tread: VehicleTread | undefined }) {
  const { vehicles: t } = useTexts();
  const interval = tread?.depth_interval_mm;
  const doubts = [
    ...(tread?.is_bald ? [depthMm === undefined ? t.wornSmooth : t.bald] : []),
    ...(tread?.is_partly_unseen ? [t.partUnseen] : []),
    ...(tread?.is_image_shared ? [t.tireNotKnown] : []),
  ];
  const range = interval ? [t.range(formatDepth(interval[0]), formatDepth(interval[1]))] : [];
  if (depthMm === undefined) return doubts.length > 0 ? doubts.join(', ') : <span aria-label={t.notMeasured}>–</span>;
  return (
    <>
      {interval ? t.about(formatDepth(depthMm)) : formatDepth(depthMm)}
      {[...range, ...doubts].map((line) => (
        <span key={line} className="line">
          {line}
        </span>
      ))}
    </>
  );
}

/** The values of the chart, newest first, with their reports. */
function Inspections({ inspections }: Pick<VehicleHistory, 'inspections'>) {
  const t = useTexts();
  const { path } = useProject();
  const { language } = useLanguage();
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: useTimeZone() });
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t.vehicles.inspections}>
      <table className="history-table">
        <caption>{inspections.length === VEHICLE_REPORTS_MAX ? t.vehicles.newest(VEHICLE_REPORTS_MAX) : t.vehicles.inspections}</caption>
        <thead>
          <tr>
            <th scope="col">{t.vehicles.day}</th>
            {POSITIONS.map((position) => (
              <th key={position} scope="col" className="number">
                {t.slots.positions[position]}
              </th>
            ))}
            <th scope="col">{t.vehicles.state}</th>
          </tr>
        </thead>
        <tbody>
          {inspections.toReversed().map(({ report_id, created_at, standing, depths_mm, treads }) => (
            <tr key={report_id}>
              <th scope="row">
                <Anchor component={Link} href={`${path}/reports/${report_id}`} size="sm" underline="always">
                  <time dateTime={created_at}>{day.format(new Date(created_at))}</time>
                </Anchor>
              </th>
              {POSITIONS.map((position) => (
                <td key={position} className="number">
                  <Depth depthMm={depths_mm[position]} tread={treads[position]} />
                </td>
              ))}
              <td>
                <StandingSign standing={standing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
