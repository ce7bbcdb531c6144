import type { HoldList, Retention } from '@tire/contracts/console';
import { endsEarlier, isRetention, RETENTION, type RetentionKind } from '@tire/kernel/retention';
import { Anchor, Badge, Button, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client';
import { holdsOf, useHolds } from '../api/holds';
import { useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { ConfirmByPassword } from '../ui/confirm-by-password';
import { Confirm } from '../ui/dialog';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Facts, Loaded, Portions, Row } from '../ui/listing';
import { Page, Section } from '../ui/page';
import { Timestamp } from '../ui/timestamp';
import { visibleText } from '../ui/visible-text';

type Rule = Retention['rules'][number];
type Choice = Pick<Rule, 'kind' | 'days'>;
type Hold = HoldList['holds'][number];

/** How long the project keeps what, and what a legal hold keeps whatever the time. */
export function RetentionPage() {
  const { retention: t } = useTexts();
  const { place, project } = useProject();
  const path = `/projects/${project.project_id}/retention`;
  const queryKey = ['project', project.project_id, 'retention'] as const;
  const query = useQuery({ queryKey, queryFn: () => call<Retention>('GET', path) });
  return (
    <Page title={t.title} text={t.text}>
      <Section title={t.rules} text={place.can('retention.manage') ? t.rulesText : t.readOnly}>
        <Loaded query={query}>
          {({ rules }) =>
            place.can('retention.manage') ? <Rules path={path} queryKey={queryKey} rules={rules} /> : <ReadRules rules={rules} />
          }
        </Loaded>
      </Section>
      {place.can('holds.manage') && <Holds />}
    </Page>
  );
}

function ReadRules({ rules }: { rules: readonly Rule[] }) {
  const { retention: t } = useTexts();
  return (
    <ul>
      {rules.map(({ kind, days, default_days }) => (
        <li key={kind}>
          {t.kinds[kind]}: {t.days(kind, days ?? default_days)}
        </li>
      ))}
    </ul>
  );
}

interface RulesProps {
  readonly path: string;
  readonly queryKey: readonly string[];
  readonly rules: readonly Rule[];
}

function Rules({ path, queryKey, rules }: RulesProps) {
  const { retention: t, common } = useTexts();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const [faults, setFaults] = useState<readonly RetentionKind[]>([]);
  const [shorter, setShorter] = useState<readonly Choice[] | null>(null);
  const send = async (choices: readonly Choice[], password?: string) => {
    // One after the other: each is a change of its own in the audit log.
    for (const choice of choices) queries.setQueryData(queryKey, await call<Retention>('PATCH', path, { ...choice, password }));
    setSaved(true);
  };
  const save = async (fields: FormData) => {
    setSaved(false);
    const choices = rules.map(({ kind }): Choice => ({ kind, days: daysOf(field(fields, kind)) }));
    const faulty = choices.filter(({ kind, days }) => !isRetention(kind, days)).map(({ kind }) => kind);
    setFaults(faulty);
    if (faulty.length > 0) return;
    const changed = choices.filter(({ kind, days }) => rules.some((rule) => rule.kind === kind && rule.days !== days));
    if (
      changed.some((choice) =>
        shortens(
          rules.find(({ kind }) => kind === choice.kind)!,
          choice.days,
        ),
      )
    )
      setShorter(changed);
    else await send(changed);
  };
  return (
    <div className="form-narrow">
      <ActionForm submit={common.save} action={save}>
        {rules.map(({ kind, days, default_days }) => (
          <TextInput
            key={kind}
            name={kind}
            type="number"
            inputMode="numeric"
            label={t.kinds[kind]}
            description={`${t.kindTexts[kind]} ${t.default(t.days(kind, default_days))}`}
            placeholder={String(default_days)}
            defaultValue={days === null ? '' : String(days)}
            error={faults.includes(kind) && t.outOfBounds(RETENTION[kind])}
          />
        ))}
      </ActionForm>
      {saved && <Done text={common.saved} />}
      {shorter && (
        <ConfirmByPassword
          title={t.shorterTitle}
          text={t.shorterText}
          submit={t.shorten}
          action={(password) => send(shorter, password)}
          onClose={() => setShorter(null)}
        />
      )}
    </div>
  );
}

const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

const shortens = ({ kind, days, default_days }: Rule, chosen: number | null): boolean =>
  endsEarlier(kind, chosen ?? default_days, days ?? default_days);

function Holds() {
  const { retention: t } = useTexts();
  const { project } = useProject();
  const query = useHolds(project.project_id);
  return (
    <Section title={t.holds} text={t.holdsText}>
      <Loaded query={query}>
        {({ holds }) =>
          holds.length === 0 ? (
            <Text c="dimmed">{t.noHolds}</Text>
          ) : (
            <Portions label={t.holds} items={holds}>
              {(hold) => <HoldRow key={hold.report_id} hold={hold} />}
            </Portions>
          )
        }
      </Loaded>
    </Section>
  );
}

function HoldRow({ hold }: { hold: Hold }) {
  const { retention: t, reports } = useTexts();
  const { path } = useProject();
  const [releasing, setReleasing] = useState(false);
  const name = hold.plate_number ? visibleText(hold.plate_number) : reports.noPlate;
  return (
    <Row
      actions={
        <Button variant="default" size="xs" aria-label={t.releaseNamed(name)} onClick={() => setReleasing(true)}>
          {t.release}
        </Button>
      }
    >
      <div className="row-name">
        {hold.is_discarded ? (
          name
        ) : (
          <Anchor component={Link} href={`${path}/reports/${hold.report_id}`} underline="always">
            {name}
          </Anchor>
        )}
        {hold.is_discarded && <Badge variant="light">{t.discarded}</Badge>}
      </div>
      <Text size="sm" className="wraps">
        {visibleText(hold.reason)}
      </Text>
      <Facts>
        <span>
          <Timestamp at={hold.held_at} />
        </span>
        {hold.held_by && <bdi>{visibleText(hold.held_by.name)}</bdi>}
      </Facts>
      {releasing && <Release hold={hold} onClose={() => setReleasing(false)} />}
    </Row>
  );
}

function Release({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const { retention: t } = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const release = async (password?: string) => {
    await call(
      'DELETE',
      `/projects/${project.project_id}/reports/${hold.report_id}/legal-hold`,
      password === undefined ? undefined : { password },
    );
    await queries.invalidateQueries({ queryKey: holdsOf(project.project_id) });
  };
  const shared = { title: t.releaseTitle, submit: t.release, onClose };
  return hold.is_discarded ? (
    <ConfirmByPassword {...shared} text={t.releaseDiscardedText} action={release} />
  ) : (
    <Confirm {...shared} text={t.releaseText} danger={false} action={() => release()} />
  );
}
