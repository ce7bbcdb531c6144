import { ReminderList } from '@tire/contracts/console';
import { becomes } from '@tire/test-harness';
import { MEASUREMENT } from '../testing/behind';
import { NOON, startReminders } from '../testing/reminders';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a reminder', () => {
  let reminders: Awaited<ReturnType<typeof startReminders>>;
  let { clock, mail, support, at, newPerson, newCustomer, planned, listed, messagesOf, sql, comesDue, run, linkIn } =
    {} as typeof reminders;

  beforeAll(async () => {
    reminders = await startReminders(() => MEASUREMENT);
    ({ clock, mail, support, at, newPerson, newCustomer, planned, listed, messagesOf, sql, comesDue, run, linkIn } = reminders);
  }, 120_000);
  afterAll(() => reminders?.stop());
  afterEach(() => {
    mail.faults.refusal = null;
    clock.setTo(NOON);
  });

  it('is ended by the shop and by another address while it waits in the outbox', async () => {
    mail.faults.refusal = { at: 'receiver', code: 451 };
    const stopped = await newCustomer();
    const moved = await newCustomer();
    const reminder = await planned(stopped.reportId);
    await comesDue(reminder);
    await comesDue(await planned(moved.reportId));
    await run();
    for (const { reportId } of [stopped, moved]) expect(await listed(reportId)).toMatchObject([{ state: 'sent', is_queued: true }]);
    await support.call('DELETE', at(stopped.reportId, `/reminders/${reminder.reminder_id}`));
    await support.call('PATCH', at(moved.reportId, '/visit'), { body: { email: newPerson().email } });
    expect(await listed(stopped.reportId)).toMatchObject([{ state: 'stopped', because: 'shop', is_queued: false }]);
    expect((await support.call('DELETE', at(stopped.reportId, `/reminders/${reminder.reminder_id}`))).status).toBe(204);
    expect(await listed(moved.reportId)).toMatchObject([{ state: 'dropped', because: 'address' }]);
    for (const { reportId } of [stopped, moved])
      expect(await messagesOf(reportId)).toEqual([{ kind: 'reminder', channel: 'email', state: 'stopped' }]);
  });

  it('that was sent cannot be stopped, and the answer says so', async () => {
    const { reportId } = await newCustomer();
    const reminder = await planned(reportId);
    await comesDue(reminder);
    await run();
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    const { error } = await support.call('DELETE', at(reportId, `/reminders/${reminder.reminder_id}`));
    expect(error).toMatchObject({ code: 'conflict', param: 'reminder' });
    expect(await listed(reportId)).toMatchObject([{ state: 'sent', because: null, is_queued: false }]);
  });

  it('whose message was refused can be stopped: nobody got it', async () => {
    const { reportId } = await newCustomer();
    const reminder = await planned(reportId);
    await comesDue(reminder);
    await run();
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    await sql(`UPDATE messages SET state = 'failed', failure = 'refused' WHERE report_id = $1 RETURNING message_id`, [reportId]);
    for (let time = 0; time < 2; time += 1)
      expect((await support.call('DELETE', at(reportId, `/reminders/${reminder.reminder_id}`))).status).toBe(204);
    expect(await listed(reportId)).toMatchObject([{ state: 'stopped', because: 'shop' }]);
  });

  it('whose text is too long for a text message ends, and the shop sees why', async () => {
    const { reportId } = await newCustomer();
    const reminder = await planned(reportId, { channel: 'sms' });
    const template = [reminders.projectId, '가'.repeat(980)];
    // A text of before the limit: the interface refuses it.
    await sql(
      `INSERT INTO message_templates (project_id, purpose, language, subject, body) VALUES ($1, 'reminder_sms', 'ko', '', $2 || '{{shop}}{{stop}}')
       RETURNING purpose`,
      template,
    );
    await comesDue(reminder);
    await run();
    await sql(`DELETE FROM message_templates WHERE project_id = $1 RETURNING purpose`, [reminders.projectId]);
    expect(await listed(reportId)).toMatchObject([{ state: 'dropped', because: 'text' }]);
    expect(await messagesOf(reportId)).toEqual([]);
  });

  it('is not sent after the shop or the receiver stopped it, however close the runner is', async () => {
    const control = await newCustomer();
    await comesDue(await planned(control.reportId));
    await run();
    const [told] = await mail.mailsTo(control.email);
    mail.faults.refusal = { at: 'receiver', code: 451 };
    const stopped = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const customer = await newCustomer();
        const reminder = await planned(customer.reportId);
        await comesDue(reminder);
        return { ...customer, path: at(customer.reportId, `/reminders/${reminder.reminder_id}`) };
      }),
    );
    // The receiver of the last ones has a link from an earlier reminder.
    const same = await newCustomer({ email: control.email, phone: control.phone });
    await comesDue(await planned(same.reportId));
    await Promise.all([
      run(),
      run(),
      ...stopped.map(({ path }) => support.call('DELETE', path)),
      fetch(linkIn(told!.text), { method: 'POST' }),
    ]);
    for (const { reportId } of [...stopped, same]) {
      expect(await listed(reportId)).toMatchObject([{ state: 'stopped' }]);
      // None waits any more, so none can be sent.
      for (const message of await messagesOf(reportId)) expect(message).toMatchObject({ state: 'stopped' });
    }
    mail.faults.refusal = null;
    clock.advanceMs(HOUR_MS);
    await run();
    const later = await newCustomer();
    await comesDue(await planned(later.reportId));
    await run();
    await mail.mailsTo(later.email);
    for (const { reportId } of [...stopped, same])
      for (const message of await messagesOf(reportId)) expect(message).toMatchObject({ state: 'stopped' });
    for (const { email } of stopped) expect(mail.received.filter(({ to }) => to.includes(email))).toEqual([]);
  });

  it('waits while another of its report is in the outbox', async () => {
    mail.faults.refusal = { at: 'receiver', code: 451 };
    const { reportId } = await newCustomer();
    const first = await planned(reportId);
    await sql(`UPDATE reminders SET reason = 'depth' WHERE reminder_id = $1 RETURNING reminder_id`, [first.reminder_id]);
    await comesDue(first);
    await run();
    await comesDue(await planned(reportId));
    await run();
    expect((await listed(reportId)).map(({ state }) => state)).toEqual(['planned', 'sent']);
  });

  it('is not sent again where the mail may have arrived', async () => {
    mail.faults.refusal = { at: 'receiver', code: 451 };
    const { reportId } = await newCustomer();
    const reminder = await planned(reportId);
    clock.advanceMs(9 * HOUR_MS - 30_000);
    await comesDue(reminder);
    await run();
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'failed' }]);
    await sql(`UPDATE messages SET failure = 'interrupted' WHERE report_id = $1 RETURNING message_id`, [reportId]);
    clock.advanceMs(14 * HOUR_MS);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state: 'sent' }]);
  });

  describe('is stopped by the receiver', () => {
    const press = (link: string, body = 'List-Unsubscribe=One-Click') =>
      fetch(link, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const sentTo = async (person = newPerson()) => {
      const customer = await newCustomer(person);
      await comesDue(await planned(customer.reportId));
      await run();
      const received = await mail.mailsTo(customer.email);
      return { ...customer, link: linkIn(received.at(-1)!.text) };
    };

    it('with one press, without a sign-in, also what waits and what other reports planned', async () => {
      const { link, ...person } = await sentTo();
      const { email, phone } = person;
      const again = await newCustomer({ email, phone });
      const { reminder_id: id } = await planned(again.reportId);
      await sql(`UPDATE reminders SET reason = 'depth' WHERE reminder_id = $1 RETURNING reminder_id`, [id]);
      await planned(again.reportId, { channel: 'sms' });
      const waiting = await newCustomer({ email, phone });
      mail.faults.refusal = { at: 'receiver', code: 451 };
      await comesDue(await planned(waiting.reportId));
      await run();
      await becomes(() => messagesOf(waiting.reportId), [{ kind: 'reminder', channel: 'email', state: 'queued' }]);
      const other = await newCustomer();
      await planned(other.reportId);

      const look = await fetch(link, { headers: { 'accept-language': 'ko' } });
      expect(await look.text()).toContain('<button type="submit">알림 받지 않기</button>');
      expect(look.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await listed(again.reportId)).map(({ state }) => state)).toEqual(['planned', 'planned']);

      const pressed = await press(link);
      expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('알림을 중지했습니다')]);
      const stopped = { state: 'stopped', because: 'receiver' };
      expect(await listed(again.reportId)).toMatchObject([stopped, stopped]);
      expect(await messagesOf(waiting.reportId)).toEqual([{ kind: 'reminder', channel: 'email', state: 'stopped' }]);
      expect(await listed(other.reportId)).toMatchObject([{ state: 'planned' }]);
      expect((await press(link)).status).toBe(200);
    });

    it('for good, also after the customer of the report was removed, until the customer agrees again', async () => {
      const { link, reportId, email, phone } = await sentTo();
      await support.call('DELETE', at(reportId, '/visit'));
      await Promise.all([press(link), press(link)]);
      const later = await newCustomer({ email, phone });
      const listing = ReminderList.parse((await support.call('GET', at(later.reportId, '/reminders'))).json);
      expect(listing).toEqual({
        reminders: [],
        stops: ['email', 'sms'].map((channel) => ({ channel, at: NOON.toISOString() })),
      });
      // Agreed to before the stop, and written after it.
      await comesDue(await planned(later.reportId, { channel: 'sms' }));
      await run();
      expect(await listed(later.reportId)).toMatchObject([{ state: 'stopped', because: 'receiver' }]);
      expect(await messagesOf(later.reportId)).toEqual([]);
      clock.advanceMs(1);
      await comesDue(await planned(later.reportId, { channel: 'sms' }));
      await run();
      await becomes(() => messagesOf(later.reportId), [{ kind: 'reminder', channel: 'sms', state: 'sent' }]);
    });

    it('with a link that is forgotten after two years', async () => {
      // The runtime role may not update these rows.
      const age = async (days: number) => {
        for (const { link } of await sql('DELETE FROM reminder_stop_links links RETURNING to_jsonb(links) AS link', [])) {
          const { sent_at, ...rest } = link as { sent_at: string };
          const aged = { ...rest, sent_at: new Date(Date.parse(sent_at) - days * DAY_MS) };
          await sql('INSERT INTO reminder_stop_links SELECT * FROM jsonb_populate_record(NULL::reminder_stop_links, $1) RETURNING 1', [
            aged,
          ]);
        }
      };
      const forgotten = await sentTo();
      await age(2);
      const kept = await sentTo();
      await age(729);
      await run();
      const reportIds = await Promise.all(
        [forgotten, kept].map(async ({ link, email, phone }) => {
          const { reportId } = await newCustomer({ email, phone });
          await planned(reportId);
          expect((await press(link)).status).toBe(200);
          return reportId;
        }),
      );
      expect((await Promise.all(reportIds.map((id) => listed(id)))).map(([reminder]) => reminder!.state)).toEqual(['planned', 'stopped']);
    });

    it('from the form of the page and from mail programs, and an unknown link tells nothing', async () => {
      const { link } = await sentTo();
      const unknown = link.replace(/[\w-]{22}$/, 'A'.repeat(22));
      for (const each of [unknown, `${link}x`, link]) {
        expect((await fetch(each)).status).toBe(200);
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        const answers = [await press(each), await press(each, ''), await fetch(each, { method: 'POST', body: form })];
        for (const answer of answers)
          expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('알림을 중지했습니다')]);
      }
    });
  });
});
