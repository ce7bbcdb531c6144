import type { ReportPrices } from '@tire/contracts/console';
import { REPORT_PRICE_MAX } from '@tire/contracts/limits';
import { minorDigits, minorOf } from '@tire/kernel/money';
import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Done } from '../../ui/done';
import { ActionForm, field } from '../../ui/form';
import { Loaded, Row, Rows } from '../../ui/listing';
import { Section } from '../../ui/page';
import { currenciesOf, moneyText } from './money';

const FIRST_CURRENCY = 'KRW';

/** What a report of the project costs, and since when. */
export function PricesSection() {
  const { prices: t } = useTexts();
  const { project } = useProject();
  const path = `/projects/${project.project_id}/report-prices`;
  const query = useQuery({ queryKey: ['project', project.project_id, 'report-prices'], queryFn: () => call<ReportPrices>('GET', path) });
  return (
    <Section title={t.title} text={t.text}>
      <Loaded query={query}>
        {(prices) => (
          <Stack>
            <PriceList path={path} prices={prices} />
            <PriceForm path={path} prices={prices} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function PriceList({ path, prices: { prices, today } }: { readonly path: string; readonly prices: ReportPrices }) {
  const { prices: t } = useTexts();
  const { language } = useLanguage();
  const { project } = useProject();
  const queries = useQueryClient();
  const [removed, setRemoved] = useState<string | null>(null);
  const remove = async () => {
    await call<ReportPrices>('DELETE', `${path}?valid_from=${removed}`);
    await queries.invalidateQueries({ queryKey: ['project', project.project_id] });
    setRemoved(null);
  };
  if (prices.length === 0) return <Text size="sm">{t.none}</Text>;
  return (
    <>
      <Rows label={t.list}>
        {prices.map((price) => (
          <Row
            key={price.valid_from}
            actions={
              price.valid_from > today && (
                <Button size="xs" variant="default" onClick={() => setRemoved(price.valid_from)}>
                  {t.remove}
                </Button>
              )
            }
          >
            <Text>
              <strong>{moneyText(price, language)}</strong> {t.from(price.valid_from)}
            </Text>
          </Row>
        ))}
      </Rows>
      {removed !== null && (
        <Confirm title={t.removeTitle} text={t.removeText(removed)} submit={t.remove} action={remove} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}

interface Faults {
  readonly amount?: string;
  readonly day?: string;
}

function PriceForm({ path, prices: { prices, first_day, last_day } }: { readonly path: string; readonly prices: ReportPrices }) {
  const { prices: t, common } = useTexts();
  const { language } = useLanguage();
  const { project } = useProject();
  const queries = useQueryClient();
  const [currency, setCurrency] = useState(prices[0]?.currency ?? FIRST_CURRENCY);
  const [faults, setFaults] = useState<Faults>({});
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    const amount_minor = minorOf(field(fields, 'amount'), currency);
    const valid_from = field(fields, 'valid_from');
    const isDay = valid_from >= first_day && valid_from <= last_day;
    const isTooHigh = amount_minor !== null && amount_minor > REPORT_PRICE_MAX;
    setFaults({
      ...(amount_minor === null && { amount: t.amountWrong(minorDigits(currency)) }),
      ...(isTooHigh && { amount: t.amountTooHigh(moneyText({ amount_minor: REPORT_PRICE_MAX, currency }, language)) }),
      ...(!isDay && { day: t.dayWrong(first_day, last_day) }),
    });
    if (amount_minor === null || isTooHigh || !isDay) return;
    await call<ReportPrices>('POST', path, { amount_minor, currency, valid_from });
    await queries.invalidateQueries({ queryKey: ['project', project.project_id] });
    setSaved(true);
  };
  return (
    <Stack className="form-narrow">
      <ActionForm submit={t.set} action={save}>
        <TextInput label={t.amount} name="amount" inputMode="decimal" error={faults.amount} required />
        <NativeSelect
          label={t.currency}
          name="currency"
          value={currency}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
          data={currenciesOf(language)}
        />
        <TextInput type="date" label={t.validFrom} name="valid_from" defaultValue={first_day} error={faults.day} required />
      </ActionForm>
      {saved && <Done text={common.saved} />}
    </Stack>
  );
}
