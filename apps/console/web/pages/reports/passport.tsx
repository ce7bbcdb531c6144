import type { JudgeTireRequest, TireWear, VehiclePassport } from '@tire/contracts/console';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { Empty, Loaded, Row, Rows } from '../../ui/listing';
import { Page, Section } from '../../ui/page';
import { Problem } from '../../ui/problem';
import { StandingSign } from '../../ui/sign';
import { visibleText } from '../../ui/visible-text';
import { DepthChart } from './depth-chart';
import { passportOf, useChange, useDay } from './passport-change';
import { ChangeButtons, Changes } from './passport-changes';
import { PassportLinks } from './passport-links';
import { POSITIONS } from './positions';
import { Depth } from './vehicles';
import { namesOf } from './vehicle-list';
import './reports.css';

/** Everything that is known of a vehicle over time. */
export function PassportPage() {
  const { vehicleId } = useParams<{ vehicleId: string }>();
  const { vehicles: t } = useTexts();
  const { project } = useProject();
  const query = useQuery({
    queryKey: passportOf(project.project_id, vehicleId),
    queryFn: () => call<VehiclePassport>('GET', `/projects/${project.project_id}/vehicles/${vehicleId}`),
  });
  return (
    <Page title={query.data ? titleOf(query.data, t.nameless) : t.title}>
      <Loaded query={query}>{(passport) => <Passport passport={passport} />}</Loaded>
    </Page>
  );
}

const titleOf = (passport: VehiclePassport, nameless: string): string => visibleText(namesOf(passport)[0] ?? nameless);

function Passport({ passport }: { passport: VehiclePassport }) {
  const { vehicles: t, vehicleLinks: links } = useTexts();
  const { place } = useProject();
  const mayChange = place.can('reports.write');
  const others = namesOf(passport).slice(1);
  return (
    <>
      {others.length > 0 && <Text mb="md">{t.alsoKnown(visibleText(others.join(', ')))}</Text>}
      <Section title={t.wear} text={t.wearText}>
        <Wear passport={passport} />
      </Section>
      {passport.proposals.length > 0 && (
        <Section title={t.risen} text={t.risenText}>
          <Proposals passport={passport} mayChange={mayChange} />
        </Section>
      )}
      <Section title={t.inspections} text={t.depthsText}>
        {passport.inspections.length === 0 ? (
          <Empty title={t.noDepths} />
        ) : (
          <>
            <DepthChart inspections={passport.inspections} />
            <Inspections passport={passport} />
          </>
        )}
      </Section>
      <Section title={links.title} text={links.text}>
        <PassportLinks passport={passport} />
      </Section>
      <Section title={t.belongs} text={t.belongsText}>
        {mayChange && <ChangeButtons passport={passport} />}
        <Changes passport={passport} mayChange={mayChange} />
      </Section>
    </>
  );
}

function Wear({ passport: { wear } }: { passport: VehiclePassport }) {
  const t = useTexts();
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t.vehicles.wear}>
      <table className="history-table">
        <thead>
          <tr>
            <th scope="col">{t.vehicles.tire}</th>
            <th scope="col">{t.vehicles.reaches('3.0')}</th>
            <th scope="col">{t.vehicles.reaches('1.6')}</th>
            <th scope="col">{t.vehicles.perDistance}</th>
          </tr>
        </thead>
        <tbody>
          {wear.map((of) => (
            <WearRow key={of.position} wear={of} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WearRow({ wear }: { wear: TireWear }) {
  const t = useTexts();
  const { language } = useLanguage();
  const day = useDay();
  const number = (value: number) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const reached = (limitMm: number) => {
    const found = wear.reached.find(({ limit_mm }) => limit_mm === limitMm);
    if (!found) return t.vehicles.notWithinYears;
    if (found.latest === null) return t.vehicles.from(day(found.earliest));
    return found.latest === found.earliest
      ? t.vehicles.reachedBy(day(found.latest))
      : t.vehicles.between(day(found.earliest), day(found.latest));
  };
  const per = wear.per_10000_km;
  const withoutDistance = wear.refused === null ? t.vehicles.noDistance : '–';
  return (
    <tr>
      <th scope="row">{t.slots.positions[wear.position]}</th>
      {wear.refused === null ? (
        <>
          <td>{reached(3)}</td>
          <td>{reached(1.6)}</td>
        </>
      ) : (
        <td colSpan={2}>{t.vehicles.refused[wear.refused]}</td>
      )}
      <td>{per === null ? withoutDistance : t.vehicles.perDistanceOf(number(per.mm), number(per.low_mm), number(per.high_mm))}</td>
    </tr>
  );
}

function Proposals({ passport, mayChange }: { passport: VehiclePassport; mayChange: boolean }) {
  const t = useTexts();
  const day = useDay();
  const change = useChange(passport.vehicle_id);
  const judge = useMutation({ mutationFn: (body: JudgeTireRequest) => change('tires', body) });
  const dayOf = (reportId: string) => day(passport.inspections.find(({ report_id }) => report_id === reportId)?.created_at ?? '');
  return (
    <>
      <Problem error={judge.error} />
      <Rows label={t.vehicles.risen}>
        {passport.proposals.map(({ report_id, position, kind, with_position }) => {
          const of = { report_id, position };
          const place = t.slots.positions[position];
          const actions = mayChange && (
            <Group gap="xs">
              {(['replaced', 'rotated', 'refused'] as const).map((verdict) => (
                <Button
                  key={verdict}
                  size="xs"
                  variant={verdict === kind ? 'light' : 'default'}
                  aria-label={t.vehicles.verdictOf(t.vehicles.verdicts[verdict], place)}
                  disabled={judge.isPending}
                  onClick={() => judge.mutate({ ...of, verdict, with_position: verdict === 'rotated' ? with_position : null })}
                >
                  {t.vehicles.verdicts[verdict]}
                </Button>
              ))}
            </Group>
          );
          return (
            <Row key={`${report_id} ${position}`} actions={actions}>
              <Text>
                {kind === 'rotated' && with_position
                  ? t.vehicles.seemsRotated(dayOf(report_id), place, t.slots.positions[with_position])
                  : t.vehicles.seemsReplaced(dayOf(report_id), place)}
              </Text>
            </Row>
          );
        })}
      </Rows>
    </>
  );
}

function Inspections({ passport }: { passport: VehiclePassport }) {
  const t = useTexts();
  const { path } = useProject();
  const { language } = useLanguage();
  const day = useDay();
  const judged = (reportId: string) =>
    passport.judgements
      .filter(({ report_id, verdict }) => report_id === reportId && verdict !== 'refused')
      .map(({ position, verdict }) => t.vehicles.verdictOf(t.vehicles.verdicts[verdict], t.slots.positions[position]));
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t.vehicles.inspections}>
      <table className="history-table">
        <thead>
          <tr>
            <th scope="col">{t.vehicles.day}</th>
            <th scope="col" className="number">
              {t.branches.mileage}
            </th>
            {POSITIONS.map((position) => (
              <th key={position} scope="col" className="number">
                {t.slots.positions[position]}
              </th>
            ))}
            <th scope="col">{t.vehicles.state}</th>
          </tr>
        </thead>
        <tbody>
          {passport.inspections.toReversed().map(({ report_id, created_at, standing, mileage_km, depths_mm, treads, made }) => (
            <tr key={report_id}>
              <th scope="row">
                <Anchor component={Link} href={`${path}/reports/${report_id}`} size="sm" underline="always">
                  <time dateTime={created_at}>{day(created_at)}</time>
                </Anchor>
                {judged(report_id).map((line) => (
                  <span key={line} className="line">
                    {line}
                  </span>
                ))}
              </th>
              <td className="number">{mileage_km === null ? '–' : mileage_km.toLocaleString(language)}</td>
              {POSITIONS.map((position) => (
                <td key={position} className="number">
                  <Depth depthMm={depths_mm[position]} tread={treads[position]} />
                  {made[position] && <span className="line">{t.vehicles.made(made[position].week, made[position].year)}</span>}
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
