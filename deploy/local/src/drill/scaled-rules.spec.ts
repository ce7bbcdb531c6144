import { scaledRules } from './scaled-rules';

const rule = (expr: string, wait?: string) => ({
  alert: 'TireX',
  expr,
  ...(wait ? { for: wait } : {}),
  annotations: { summary: '', runbook_url: '' },
});
const scaledOne = (expr: string, wait?: string) =>
  scaledRules({ groups: [{ name: 'a', rules: [rule(expr, wait)] }] }, 60).groups[0]!.rules[0];

it.each([
  ['sum(rate(tire_x_total{}[30m])) > 0.05', '15m', 'sum(rate(tire_x_total{}[30s])) > 0.05', '15s'],
  // Two values are the least of a rate.
  ['rate(tire_x_total{}[2m])', '30s', 'rate(tire_x_total{}[15s])', '1s'],
  [
    'max by (kind) (tire_slots_waiting_oldest_age_seconds{kind="fetch"}) > 1800',
    '5m',
    'max by (kind) (tire_slots_waiting_oldest_age_seconds{kind="fetch"}) > 30',
    '5s',
  ],
  ['max(tire_callbacks_overdue_seconds{}) > 60', '5m', 'max(tire_callbacks_overdue_seconds{}) > 1', '5s'],
  // A duration of work is no waiting time.
  [
    'histogram_quantile(0.95, rate(tire_inference_queue_age_seconds_bucket{}[5m])) > 20',
    '5m',
    'histogram_quantile(0.95, rate(tire_inference_queue_age_seconds_bucket{}[15s])) > 20',
    '5s',
  ],
])('%s', (expr, wait, scaledExpr, scaledWait) => {
  expect(scaledOne(expr, wait)).toMatchObject({ expr: scaledExpr, for: scaledWait });
});

it('leaves a rule without `for` without it', () => {
  expect(scaledOne('tire_x{} > 1')).toEqual(rule('tire_x{} > 1'));
});

it('refuses a duration that it does not know', () => {
  expect(() => scaledOne('tire_x{} > 1', 'soon')).toThrow('not a duration: soon');
});
