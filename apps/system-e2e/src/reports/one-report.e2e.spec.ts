import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Content, Report } from '@tire/contracts/api';
import { PartnerClient, receiveCallbacks, serveImages, upload, type Sample, type StackFile } from '@tire/local-stack';
import { allImages } from '../images/sample-images';
import { stackUnderTest } from '../stack-under-test';

const submitted = (stack: StackFile, samples: Sample[]) =>
  samples.map(({ slot, path }) => ({
    module_type: 'tire',
    slot,
    source: { url: `${stack.images_origin}${path}`, client_asset_id: path },
  }));

describe('one report through all six services', () => {
  const stack = stackUnderTest();
  const client = new PartnerClient(stack, stack.keys.live);
  const samples = allImages();

  describe('in customer URL mode', () => {
    const traceId = randomBytes(16).toString('hex');
    let callbacks: Awaited<ReturnType<typeof receiveCallbacks>>;
    let stopImages: () => Promise<void>;
    let report: Report;

    beforeAll(async () => {
      callbacks = await receiveCallbacks(stack);
      stopImages = await serveImages(stack, samples);
      const created = await client.create(
        {
          plate_number: '12가 3456',
          template: 'tire_4t_4s',
          external_vehicle_id: 'vehicle-1',
          callback_url: `${stack.callback_origin}/done`,
          metadata: { shop: '서울 1호점' },
          images: submitted(stack, samples),
        },
        { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
      );
      expect(created).toMatchObject({ status: 'processing', share_url: expect.stringContaining(stack.share_url) });
      report = await client.finished(created.report_id);
    });

    afterAll(async () => {
      await Promise.all([callbacks?.close(), stopImages?.()]);
    });

    it('reads as a valid report.v1 with every slot measured', () => {
      Report.parse(report);
      expect(report).toMatchObject({
        analysis_status: 'complete',
        publication_status: 'published',
        summary_status: 'complete',
        vehicle: { plate_number: '12가 3456' },
        client_context: { external_vehicle_id: 'vehicle-1', metadata: { shop: '서울 1호점' } },
      });
      expect(report.slots).toHaveLength(8);
      for (const slot of report.slots) expect(slot.analysis).toMatchObject({ status: 'success', provenance: 'engine' });
    });

    it('measures more depth on the tires that were rendered deeper', () => {
      const depthOf = (position: string) => {
        const result = report.slots.find(({ slot_id }) => slot_id === `tire.tread.${position}`)!.analysis.result as {
          aggregated_depth: { aggregated_remaining_depth: number };
        };
        return result.aggregated_depth.aggregated_remaining_depth;
      };
      const depths = new Set(['front_left', 'front_right', 'rear_left', 'rear_right'].map(depthOf));
      expect(depths.size).toBeGreaterThan(1);
      for (const depthMm of depths) expect(depthMm).toBeGreaterThan(0);
    });

    it('has content for that analysis, which is unchanged while the ETag matches', async () => {
      const response = await client.call('GET', `/reports/${report.report_id}/content`);
      const body = await response.json();
      const content = Content.parse(body);
      expect(content).toMatchObject({ status: 'ready', source: { analysis_revision: report.analysis_revision } });
      expect(content.sections.map(({ section_id }) => section_id)).toHaveLength(5);
      const etag = response.headers.get('etag')!;
      const again = await client.call('GET', `/reports/${report.report_id}/content`, undefined, { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const canonical = await fetch(new URL(response.headers.get('content-location')!, stack.base_url), {
        headers: { authorization: `Bearer ${stack.keys.live}` },
      });
      expect(await canonical.json()).toEqual(body);
    });

    it('has a share page that shows the measured values and hides the plate', async () => {
      const page = await fetch(report.links.share!);
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(html).toContain('225/45R17');
      // Coordinates and signatures have any digits.
      expect(html).not.toMatch(/(?<![.\w])3456(?!\w)/);
    });

    it('sends one signed callback in a trace of this system, not in that of the client', async () => {
      const callback = await callbacks.next(({ body }) => body.includes(report.report_id));
      expect(new Webhook(stack.webhook_secret).verify(callback.body, callback.headers as Record<string, string>)).toMatchObject({
        type: 'report.completed',
        data: { report_id: report.report_id, analysis_status: 'complete', analysis_revision: report.analysis_revision },
      });
      expect(callback.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-/);
      expect(callback.headers['traceparent']).not.toContain(traceId);
      expect(callbacks.received.filter(({ body }) => body.includes(report.report_id))).toHaveLength(1);
    });

    it("is not found by another organization's key, and a read-only key can't create", async () => {
      const other = await new PartnerClient(stack, stack.keys.other).call('GET', `/reports/${report.report_id}`);
      expect([other.status, await other.json()]).toMatchObject([404, { error: { code: 'not_found', type: 'invalid_request_error' } }]);
      const readOnly = await new PartnerClient(stack, stack.keys.read_only).call('POST', '/reports', {});
      expect([readOnly.status, await readOnly.json()]).toMatchObject([403, { error: { code: 'forbidden', type: 'permission_error' } }]);
    });
  });

  it('works in pre-signed mode', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const created = await client.create({ template: 'tire_4t_0s' }, key);
    expect(created.upload_targets).toHaveLength(4);
    const repeated = await client.create({ template: 'tire_4t_0s' }, key);
    expect(repeated).toEqual(created);
    await Promise.all(created.upload_targets!.map((target) => upload(target, samples)));
    const registered = await client.call('POST', `/reports/${created.report_id}/images`, {
      images: created.upload_targets!.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
    });
    expect(registered.status).toBe(202);
    const report = await client.finished(created.report_id);
    expect(report).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
    expect((await client.content(created.report_id)).sections).toHaveLength(4);
  });

  it('reports the address that could not be fetched, and measures the others', async () => {
    const stopImages = await serveImages(stack, samples);
    try {
      const list = submitted(stack, samples).map((image) =>
        image.slot.position === 'front_left' ? { ...image, source: { url: 'https://192.0.43.8:8443/forbidden.jpg' } } : image,
      );
      const created = await client.create({ images: list });
      const report = await client.finished(created.report_id);
      expect(report).toMatchObject({ analysis_status: 'partial', publication_status: 'unpublished', summary_status: 'partial' });
      const failed = report.slots.filter(({ status }) => status === 'failed').map(({ slot_id, analysis }) => [slot_id, analysis.error]);
      const forbidden = { code: 'image_url_forbidden', retryable: false };
      expect(failed).toEqual(
        expect.arrayContaining([
          ['tire.tread.front_left', forbidden],
          ['tire.sidewall.front_left', forbidden],
        ]),
      );
      expect(failed).toHaveLength(2);
      const closed = await fetch(report.links.share!);
      expect(closed.status).not.toBe(200);
      expect(await closed.text()).not.toMatch(/\dmm<|\d\.\dmm/);
    } finally {
      await stopImages();
    }
  });

  it('returns the error envelope for anything unknown', async () => {
    for (const [method, path, body, status, code] of [
      ['GET', '/nothing', undefined, 404, 'not_found'],
      ['GET', '/reports/not-a-uuid', undefined, 404, 'not_found'],
      ['POST', '/reports', { template: 'tire_9t' }, 422, 'validation_error'],
      [
        'POST',
        '/reports',
        { images: [{ module_type: 'tire', slot: { position: 'roof', image_type: 'tread' }, source: { url: 'https://a.example/' } }] },
        422,
        'validation_error',
      ],
    ] as const) {
      const response = await client.call(method, path, body);
      const answer = (await response.json()) as { error: Record<string, unknown> };
      expect([path, response.status, answer.error.code]).toEqual([path, status, code]);
      const additional = status === 422 ? ['errors'] : [];
      expect(Object.keys(answer.error).sort()).toEqual(['code', ...additional, 'message', 'param', 'retryable', 'type']);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  });
});
