import { z } from 'zod';
import { REPORT_PRICE_MAX, REPORT_PRICES_SHOWN_MAX } from '../limits';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const CURRENCY_FAULT = 'must be a currency of ISO 4217, as KRW.';
const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, CURRENCY_FAULT)
  .refine((code) => CURRENCIES.has(code), CURRENCY_FAULT);

const Amount = z.int().min(0).describe('In minor units: won, cents.');

export const ReportPrice = z
  .object({
    valid_from: z.iso.date().describe('The first day with this price, in the time zone of the project.'),
    amount_minor: Amount.max(REPORT_PRICE_MAX),
    currency: Currency,
  })
  .meta({ id: 'ReportPrice' });
export type ReportPrice = z.infer<typeof ReportPrice>;

export const ReportPrices = z
  .object({
    prices: z.array(ReportPrice).describe(`The latest first; ${REPORT_PRICES_SHOWN_MAX} at most.`),
    today: z.iso.date().describe('In the time zone of the project. A price of a later day can be removed.'),
    first_day: z.iso
      .date()
      .describe('A price can be set from this day on: the first of the present month. Sums of earlier months stay as they are.'),
    last_day: z.iso.date().describe('A price can be set up to this day.'),
  })
  .meta({ id: 'ReportPrices' });
export type ReportPrices = z.infer<typeof ReportPrices>;

export const Money = z.object({ amount_minor: Amount, currency: z.string() });
export type Money = z.infer<typeof Money>;

export const Cost = z
  .object({
    days: z.array(Money.extend({ day: z.iso.date() })).describe('The days of the period that had a price.'),
    sums: z.array(Money).describe('One for each currency in which there was a price.'),
  })
  .meta({ id: 'Cost', description: 'The price per report of each day, times the reports created that day.' });
export type Cost = z.infer<typeof Cost>;
