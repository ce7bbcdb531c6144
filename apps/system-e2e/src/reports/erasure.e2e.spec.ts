import { randomUUID } from 'node:crypto';
import type { Erasure } from '@tire/contracts/console';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser, eventually, type Visitor } from '@tire/test-harness';
import { openReceiver } from '../publication/callback-receiver';
import { placesWith } from '../publication/stored-secrets';
import { command, commandOutput } from '../world';
import { atTheShop, PASSWORD } from '../console/console-shop';
import { settled, TREADS, uploaded } from './reports';

/** Values that are nowhere else on the stack. */
const planted = () => {
  const mark = randomUUID().slice(0, 8).toUpperCase();
  const digits = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
  return {
    mark,
    plate: `${mark}가`,
    vin: `KMH${mark.replaceAll(/[IOQ]/g, 'X')}${digits.slice(0, 6)}`,
    phone: `010-${digits.slice(0, 4)}-${digits.slice(4)}`,
    name: `김${mark}`,
    email: `${mark.toLowerCase()}@customer.example`,
  };
};

describeWithBrowser('erasure on the whole system', () => {
  const { shop } = atTheShop();

  /** Objects of a report in the store of the stack, which keeps them as files. */
  const objectsOf = async (reportId: string): Promise<string[]> => {
    const entries = await readdir(join(process.env['STACK_DIR']!, 'objects'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.parentPath.includes(reportId)).map(({ name }) => name);
  };

  const get = (visitor: Visitor, path: string): Promise<Erasure> =>
    visitor.tab.evaluate<Erasure>(`fetch('/console/api/projects/${shop().projectId}/${path}').then((answer) => answer.json())`);

  async function until(visitor: Visitor, id: string, state: Erasure['state']): Promise<Erasure> {
    await eventually(async () => (await get(visitor, `erasures/${id}`)).state === state, { timeoutMs: 60_000 });
    return get(visitor, `erasures/${id}`);
  }

  /** Everything in which such a value comes: the request and its key, a customer, a message and a reminder that wait, a callback. */
  async function plant(visitor: Visitor, { mark, plate, vin, phone, name, email }: ReturnType<typeof planted>, callbackUrl: string) {
    const body = {
      template: 'tire_4t_0s',
      plate_number: plate,
      vin,
      external_vehicle_id: `car-${mark}`,
      external_inspection_id: `inspection-${mark}`,
      metadata: { driver: name },
      callback_url: callbackUrl,
    };
    const { report_id: reportId } = await settled(
      shop().api,
      (await uploaded(shop().api, body, TREADS, { 'idempotency-key': `key-${mark}` })).report_id,
    );
    await eventually(async () => (await shop().api.call('getShare', { report: reportId })).done.status === 'active');
    const consent = { version: '2026-11', language: 'ko' };
    await shop().request(visitor, 'PATCH', `reports/${reportId}/visit`, { name, phone, email, note: `저녁 ${mark}`, consent });
    await shop().request(visitor, 'POST', `reports/${reportId}/messages`, { language: 'ko', channel: 'sms' });
    await shop().request(visitor, 'POST', `reports/${reportId}/reminders`, { reason: 'six_months', channel: 'sms', consent });
    return reportId;
  }

  it('by a plate leaves nothing of a person in any database, stream, log or in the bucket; the page says that it was deleted', async () => {
    const values = planted();
    const visitor = await shop().owner();
    const receiver = await openReceiver();
    const reportId = await plant(visitor, values, `${receiver.origin}/erasure?car=${values.mark}`);
    const share = (await shop().api.call('getShare', { report: reportId })).done.share_url!;
    const forms = [
      values.mark,
      values.mark.toLowerCase(),
      values.plate,
      values.vin,
      values.phone,
      values.phone.replaceAll('-', ''),
      values.name,
    ];
    await receiver.callsTo(`/erasure?car=${values.mark}`, 1, reportId);
    expect((await placesWith(forms)).length).toBeGreaterThan(3);
    expect((await objectsOf(reportId)).length).toBeGreaterThan(0);

    const { erasure_id: id } = await shop().request<Erasure>(visitor, 'POST', 'erasures', { kind: 'plate', value: values.plate });
    const { preview } = await until(visitor, id, 'counted');
    expect(preview).toMatchObject({ reports: 1, published: 1, held: 0 });
    const kept = Object.fromEntries(preview!.counts.map(({ store, what, count }) => [`${store} ${what}`, count]));
    expect(kept).toMatchObject({ 'gateway visits': 1, 'gateway messages': 1, 'gateway reminders': 1, 'assets photographs': 4 });
    for (const what of ['share links', 'share callbacks', 'content documents', 'ledger idempotency_records', 'assets objects'])
      expect([what, kept[what]]).toEqual([what, expect.any(Number)]);
    await shop().request(visitor, 'POST', `erasures/${id}/confirm`, { reason: 'Request of a customer', password: PASSWORD });
    const { certificate } = await until(visitor, id, 'done');
    expect(certificate).toMatchObject({ report_ids: [reportId], remaining: [] });

    expect(await placesWith(forms)).toEqual([]);
    expect(await objectsOf(reportId)).toEqual([]);
    const page = await fetch(share);
    expect([404, 410]).toContain(page.status);
    expect(await page.text()).not.toMatch(/\d mm/);
    expect((await shop().api.call('getReport', { report: reportId })).refusal).toEqual([404, 'not_found', null]);
    await receiver.close();

    // As after the restore of an older backup: the index erases again what it names.
    const index = await commandOutput('gateway', ['erasure', 'index']);
    const outcome = await command<{ replayed: number; refused: number }>('gateway', ['erasure', 'replay'], index);
    expect(outcome.refused).toBe(0);
    expect(outcome.replayed).toBeGreaterThanOrEqual(1);
    expect((await until(visitor, id, 'done')).certificate).toEqual(certificate);
  });
});
