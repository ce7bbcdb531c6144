import { isForeign, partsOf, QUERIES, RECORDED } from '@tire/chart';
import { eventually } from '@tire/test-harness';
import sharp from 'sharp';
import { openReceiver } from '../publication/callback-receiver';
import { ImageHost } from '../images/image-host';
import { imageOf } from '../images/sample-images';
import { byAddress, put, registration, settled, targetOf, TREADS, uploaded } from '../reports/reports';
import { apiOf, systemReady } from '../world';
import { metricsOf, SERVICES } from './processes';

/** Counters of internal errors that no request can provoke: they have no series until the first error. */
const IN_TROUBLE_ONLY = ['tire_messages_redelivered_total', 'tire_requests_refused_total'];

/** Without a mail server, without TLS to the other servers. */
const NOT_HERE = ['tire_message_attempts_total', 'tire_certificate_end_timestamp_seconds'];
const isOfServices = (name: string): boolean =>
  !isForeign(name) && !RECORDED.has(name) && !IN_TROUBLE_ONLY.includes(name) && !NOT_HERE.includes(name);

/** Labels that the scraper adds. */
const OF_PROMETHEUS = ['job', 'instance'];

const api = apiOf('live');

/** Every metric that a service shows now, with the labels of its series. */
async function exposed(): Promise<Map<string, Set<string>>> {
  const shown = new Map<string, Set<string>>();
  for (const text of await Promise.all(SERVICES.map(metricsOf))) {
    for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+/gm)) {
      const known = shown.get(name!) ?? new Set<string>();
      for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label!);
      shown.set(name!, known);
    }
  }
  return shown;
}

/** One report by addresses that is measured, published and called back, and one with an unmeasurable image. */
async function whatHappensEveryDay(): Promise<void> {
  const [host, receiver] = [await ImageHost.open(), await openReceiver()];
  try {
    const callback_url = `${receiver.origin}/metrics`;
    const { report_id } = (await api.create({ template: 'tire_4t_0s', callback_url, images: byAddress(host, TREADS) })).done;
    expect(await settled(api, report_id)).toMatchObject({ analysis_status: 'complete' });
    await receiver.callsTo('/metrics');
  } finally {
    await Promise.all([host.close(), receiver.close()]);
  }
  const nothing = await sharp({ create: { width: 1280, height: 960, channels: 3, background: 'grey' } })
    .jpeg()
    .toBuffer();
  const { report_id, targets } = await uploaded(api, { template: 'tire_4t_0s' }, []);
  const blank = targetOf(targets, TREADS[0]!);
  for (const target of targets) expect(await put(target, target === blank ? new Uint8Array(nothing) : imageOf(target.slot))).toBe(200);
  const body = { images: targets.map(registration) };
  expect((await api.call('registerImages', { report: report_id, body })).status).toBe(202);
  expect(await settled(api, report_id)).toMatchObject({ analysis_status: 'partial' });
}

describe('the metrics of alerts and dashboards', () => {
  it('are exposed by the running services, with the required labels', async () => {
    await systemReady();
    await whatHappensEveryDay();
    const missing = async (): Promise<string[]> => {
      const shown = await exposed();
      return QUERIES.flatMap(({ where, expr }) => {
        const { metrics, labels } = partsOf(expr);
        const own = metrics.filter(isOfServices);
        const wanted = labels.filter((label) => !OF_PROMETHEUS.includes(label));
        const gone = own.filter((name) => !shown.has(name)).map((name) => `${where}: no ${name}`);
        // In a quotient each part has its own labels.
        const strange = own.length > 0 ? wanted.filter((label) => !own.some((name) => shown.get(name)?.has(label))) : [];
        return [...gone, ...strange.map((label) => `${where}: none has ${label}`)];
      });
    };
    // A callback is counted when its response has been stored.
    await eventually(async () => (await missing()).length === 0).catch(() => undefined);
    expect(await missing()).toEqual([]);
  });
});
