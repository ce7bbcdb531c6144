import { CreateReportResponse } from '@tire/contracts/api';
import { MessageList, Reminder, ReminderList } from '@tire/contracts/console';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, testClock } from '@tire/test-harness';
import { ReminderRunner } from '../reminders/reminder.runner';
import type { TreadOf } from './behind';
import { startShop } from './shop';

const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));
export const CONSENT = { version: '2026-11', language: 'ko' };
/** Noon in Seoul. */
export const NOON = new Date('2026-11-27T03:00:00Z');

/** A shop whose customers are reminded, and the time. */
export async function startReminders(treadOf: TreadOf) {
  const clock = testClock(NOON);
  const shop = await startShop({ clock, treadOf });
  const { gateway, owner, support, projectId } = shop;
  let numbers = 0;
  let plates = 1_000;

  const at = (reportId: string, path = '') => `/projects/${projectId}/reports/${reportId}${path}`;
  /** Each of a vehicle of its own, unless a plate is given. */
  const newReport = async (plate?: string): Promise<string> => {
    let created: unknown;
    // A busy machine refuses for now.
    await eventually(async () => {
      const body = { tires: TIRES, plate_number: plate ?? `12가 ${(plates += 1)}` };
      const { status, json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, { body });
      created = json;
      return status !== 503;
    });
    return CreateReportResponse.parse(created).report_id;
  };
  const newPerson = () => ({
    email: `customer-${newId()}@shop.example`,
    phone: `010-3000-${String((numbers += 1)).padStart(4, '0')}`,
  });
  const e164 = (phone: string) => `+82${phone.replaceAll('-', '').slice(1)}`;
  /** A report with a customer who agreed to messages. */
  const newCustomer = async (person = newPerson(), more: object = {}, plate?: string) => {
    const reportId = await newReport(plate);
    await support.call('PATCH', at(reportId, '/visit'), { body: { name: '김민수', ...person, consent: CONSENT, ...more } });
    return { reportId, ...person };
  };
  const plan = (reportId: string, request: object = {}, by = support) =>
    by.call('POST', at(reportId, '/reminders'), { body: { reason: 'six_months', channel: 'email', consent: CONSENT, ...request } });
  const planned = async (reportId: string, request: object = {}): Promise<Reminder> => Reminder.parse((await plan(reportId, request)).json);
  const listed = async (reportId: string, by = support) =>
    ReminderList.parse((await by.call('GET', at(reportId, '/reminders'))).json).reminders;
  const messagesOf = async (reportId: string) =>
    MessageList.parse((await support.call('GET', at(reportId, '/messages'))).json).messages.map(({ kind, channel, state }) => ({
      ...{ kind, channel, state },
    }));
  const sql = (text: string, values: unknown[]) => gateway.database.systemQuery<Record<string, unknown>>(text, values);
  /** Months pass for this reminder only. */
  const comesDue = ({ reminder_id: id }: Reminder, dueAt = clock.now()) =>
    sql('UPDATE reminders SET due_at = $2, next_at = $2 WHERE reminder_id = $1 RETURNING reminder_id', [id, dueAt]);
  const run = () => gateway.part(ReminderRunner).sendDue();
  const linkIn = (text: string) => /https?:\/\/\S+\/s\/[\w-]{22}/.exec(text)![0];
  return { ...shop, clock, at, newReport, newPerson, e164, newCustomer, plan, planned, listed, messagesOf, sql, comesDue, run, linkIn };
}
