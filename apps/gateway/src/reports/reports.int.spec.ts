/* oxlint-disable max-lines -- one suite, so that its services start once */
import {
  Content,
  CreateReportResponse,
  ReplayResponse,
  Report,
  ReportPage,
  ShareRecord,
  Vehicle,
  type VehicleTread,
} from '@tire/contracts/api';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { startBehind } from '../testing/behind';
import { startGateway, type Reply } from '../testing/gateway';

const images = (kind: string, image_type = 'tread') =>
  POSITIONS.map((position) => ({
    module_type: 'tire',
    slot: { position, image_type },
    source: { url: `https://images.example/${kind}/${position}.jpg?b=2&a=%2F`, client_asset_id: `mine-${position}` },
  }));

const creation = (kind: string) => ({
  plate_number: '12가 3456',
  template: 'tire_4t_0s',
  metadata: { shop: '서울' },
  images: images(kind),
});

describe('reports, with the other services as separate processes', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let ours: string;
  let others: string;

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
    [ours, others] = await Promise.all([gateway.keyWith(['report:*']), gateway.keyWith(['report:*'])]);
  }, 120_000);

  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>, key = ours): Promise<Reply> =>
    gateway.call(method, path, { key, body, headers });
  /** Repeats a creation that a busy machine answers too late, as a partner does. */
  const create = (kind: string): Promise<string> =>
    eventually(async () => CreateReportResponse.parse((await call('POST', '/reports', creation(kind))).json).report_id);
  const refused = ({ status, error }: Reply) => [status, error?.code, error?.param];

  describe('POST /reports', () => {
    it('returns 202 with a valid body when images were submitted', async () => {
      const answer = await call('POST', '/reports', creation('silent'));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([202, 'application/json; charset=utf-8']);
      expect(CreateReportResponse.parse(answer.json)).toEqual(answer.json);
      expect(answer.json).toMatchObject({ status: 'processing', share_url: expect.stringMatching(/^https:\/\/share\.example\/r\//) });
      expect(answer.json).not.toHaveProperty('upload_targets');
      expect(answer.json).not.toHaveProperty('warnings');
      const allowance = ['ratelimit-remaining', 'ratelimit-reset'].map((name) => answer.headers.get(name));
      expect(allowance).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    });

    it('warns of fields that look misspelled, in the answer to a retry as well', async () => {
      const { plate_number, metadata, ...rest } = creation('silent');
      const { source, ...image } = images('silent')[0]!;
      const misspelled = [{ ...image, source: { url: source.url, clientAssetId: source.client_asset_id } }];
      const body = { ...rest, plateNumber: plate_number, images: misspelled, metadata: { ...metadata, image: 1 }, color: 'red' };
      const headers = { 'idempotency-key': newId() };
      const answer = await call('POST', '/reports', body, headers);
      const { warnings } = CreateReportResponse.parse(answer.json);
      expect([answer.status, warnings!.map(({ param }) => param)]).toEqual([202, ['plateNumber', 'images[0].source.clientAssetId']]);
      expect(warnings![0]).toEqual({
        code: 'unknown_field',
        param: 'plateNumber',
        message: 'plateNumber: is no field and was ignored; did you mean plate_number?',
      });
      expect((await call('POST', '/reports', body, headers)).text).toBe(answer.text);
    });

    it('says what differs in another creation of an inspection, and names its report', async () => {
      const named = { ...creation('silent'), images: images('silent').slice(0, 1), external_inspection_id: newId() };
      const { report_id } = CreateReportResponse.parse((await call('POST', '/reports', named)).json);
      const other = { ...named, plate_number: '34나 5678', external_vehicle_id: 'car-1' };
      const answer = await call('POST', '/reports', other);
      expect(refused(answer)).toEqual([409, 'idempotency_conflict', 'external_inspection_id']);
      expect(answer.error).toMatchObject({ report_id, errors: [{ param: 'plate_number' }, { param: 'external_vehicle_id' }] });
      // Ids may hold the digits.
      expect(answer.text).not.toMatch(/가 ?3456/);
      expect((await call('POST', '/reports', other, undefined, others)).status).toBe(202);
    });

    it('refuses addresses that no look-up can make public at once', async () => {
      const [first, second, ...rest] = images('silent');
      const own = [first!, second!].map((image, index) => ({ ...image, source: { url: ['https://10.0.0.1/', 'https://[::1]/'][index]! } }));
      const answer = await call('POST', '/reports', { ...creation('silent'), images: [...own, ...rest] });
      expect(refused(answer)).toEqual([422, 'validation_error', 'images[0].source.url']);
      expect(answer.error?.errors?.map(({ param }) => param)).toEqual(['images[0].source.url', 'images[1].source.url']);
    });

    it('returns the stored bytes to a retry, 409 to another body, and a separate report to another project', async () => {
      const headers = { 'idempotency-key': newId() };
      const first = await call('POST', '/reports', creation('silent'), headers);
      const { plate_number, ...rest } = creation('silent');
      const reordered = JSON.stringify({ ...rest, plate_number, nobody_knows: 1 }, null, 2);
      for (const body of [creation('silent'), reordered]) {
        const again = await call('POST', '/reports', body, headers);
        expect([again.status, again.text]).toEqual([first.status, first.text]);
      }
      for (const other of [{ plate_number: 'x' }, { metadata: { shop: '서울', a: null } }])
        expect(refused(await call('POST', '/reports', { ...creation('silent'), ...other }, headers))).toEqual([
          409,
          'idempotency_conflict',
          null,
        ]);
      const elsewhere = await call('POST', '/reports', creation('silent'), headers, others);
      expect(elsewhere.status).toBe(202);
      expect(elsewhere.text).not.toBe(first.text);
    });

    it('refuses a slot outside the template and names it', async () => {
      const body = { ...creation('silent'), images: [images('silent')[0], images('silent', 'sidewall')[1]] };
      expect(refused(await call('POST', '/reports', body))).toEqual([422, 'validation_error', 'images[1].slot.image_type']);
    });

    it.each([{ key: 'another' }, { version: '2.0' }, { locale: 'fr-FR' }])('refuses content profile %j', async (content_profile) => {
      const { status, error } = await call('POST', '/reports', { ...creation('silent'), content_profile });
      expect([status, error?.code]).toEqual([422, 'validation_error']);
      expect(error?.param).toMatch(/^content_profile/);
    });

    it('returns 503 in Pre-Signed mode while no service can issue upload targets', async () => {
      expect(refused(await call('POST', '/reports', {}))).toEqual([503, 'internal_error', null]);
    });
  });

  describe('GET /reports/{id}', () => {
    it('returns report.v1 with the values of the creation', async () => {
      const id = await create('silent');
      const { status, json } = await call('GET', `/reports/${id.toUpperCase()}`);
      expect(status).toBe(200);
      expect(Report.parse(json)).toEqual(json);
      expect(json).toMatchObject({
        report_id: id,
        analysis_status: 'processing',
        vehicle: { plate_number: '12가 3456' },
        client_context: { metadata: { shop: '서울' } },
        links: { self: `${gateway.origin}/api/v1/reports/${id}` },
      });
      const [slot] = (json as Report).slots;
      expect(slot!.asset!.source).toEqual({
        kind: 'partner_url',
        url: images('silent')[0]!.source.url,
        client_asset_id: 'mine-front_left',
      });
    });
  });

  it('returns 404 for every request about a report of another project', async () => {
    const id = await create('silent');
    for (const [method, path, body] of [
      ['GET', `/reports/${id}`],
      ['GET', `/reports/${id}/content`],
      ['GET', `/reports/${id}/content/${newId()}`],
      ['GET', `/reports/${id}/share`],
      ['POST', `/reports/${id}/images`, '{broken'],
      ['POST', `/reports/${id}/images?replace=perhaps`, { images: [] }],
      ['POST', `/reports/${newId()}/images`, '{broken'],
    ] as const) {
      expect([path, ...refused(await call(method, path, body, {}, others))]).toEqual([path, 404, 'not_found', null]);
    }
  });

  it('returns the fault of a registration to the owner of the report', async () => {
    const id = await create('silent');
    const entry = { asset_id: newId(), module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } };
    for (const [query, body, param] of [
      ['', '{broken', null],
      ['', { images: [] }, 'images'],
      ['', { slots: [entry] }, 'images'],
      ['', { images: [{ ...entry, asset_id: 'x' }] }, 'images[0].asset_id'],
      ['', { images: [entry, entry] }, 'images[1].slot'],
      ['', { images: [{ ...entry, slot: { ...entry.slot, image_type: 'sidewall' } }] }, 'images[0].slot.image_type'],
      ['?replace=perhaps', { images: [entry] }, 'replace'],
    ] as const) {
      expect(refused(await call('POST', `/reports/${id}/images${query}`, body))).toEqual([422, 'validation_error', param]);
    }
  });

  describe('finding reports again', () => {
    const named = { external_vehicle_id: '차량 1/2', external_inspection_id: newId(), plate_number: '88허 8888' };
    const found = async (query: object, key = ours) =>
      ReportPage.parse((await call('GET', `/reports?${new URLSearchParams({ ...query })}`, undefined, {}, key)).json);
    const vehicle = (id: string, key = ours) => call('GET', `/vehicles/${encodeURIComponent(id)}`, undefined, {}, key);
    let measured: string;

    beforeAll(async () => {
      const answer = await eventually(() => call('POST', '/reports', { ...creation('measured'), ...named }));
      measured = CreateReportResponse.parse(answer.json).report_id;
      await eventually(async () => Report.parse((await call('GET', `/reports/${measured}`)).json).analysis_status === 'complete');
    });

    it('GET /reports has each filter, and rows that agree with the report', async () => {
      const report = Report.parse((await call('GET', `/reports/${measured}`)).json);
      const { analysis_status, created_at } = { ...report, ...report.timestamps };
      for (const query of [...Object.entries(named).map(([name, value]) => ({ [name]: value })), { ...named, analysis_status }]) {
        const { reports, next_cursor } = await found(query);
        expect([query, reports, next_cursor]).toEqual([query, [expect.objectContaining({ report_id: measured })], null]);
        expect(report).toMatchObject({ ...reports[0], publication_status: expect.any(String), template: { key: 'tire_4t_0s' } });
      }
      const ids = async (query: object) => (await found({ limit: 100, ...query })).reports.map(({ report_id }) => report_id);
      expect(await ids({ created_from: created_at })).toContain(measured);
      for (const query of [{ created_before: created_at }, { ...named, plate_number: '1' }, { ...named, analysis_status: 'failed' }])
        expect([query, (await ids(query)).includes(measured)]).toEqual([query, false]);
    });

    it('GET /reports has pages, and only those of its project', async () => {
      const all = (await found({ limit: 100 })).reports.map(({ report_id }) => report_id);
      const first = await found({ limit: 1 });
      const second = await found({ limit: 1, cursor: first.next_cursor });
      expect([...first.reports, ...second.reports].map(({ report_id }) => report_id)).toEqual(all.slice(0, 2));
      for (const query of [{}, named])
        expect((await found(query, others)).reports.map(({ report_id }) => report_id)).not.toContain(measured);
    });

    it.each([
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      ['analysis_status=done', 'analysis_status'],
      ['created_from=2026-01-01', 'created_from'],
      ['plate_number=', 'plate_number'],
      ['external_vehicle_id=a&external_vehicle_id=b', 'external_vehicle_id'],
      ['status=failed', 'status'],
    ])('GET /reports?%s is refused', async (query, param) => {
      expect(refused(await call('GET', `/reports?${query}`))).toEqual([422, 'validation_error', param]);
    });

    it('GET /vehicles/{id} has the depths of each inspection, and is not found in another project', async () => {
      await call('POST', '/reports', {
        template: 'tire_4t_0s',
        images: images('silent').slice(0, 1),
        external_vehicle_id: named.external_vehicle_id,
      });
      const answer = await vehicle(named.external_vehicle_id);
      const { inspections, external_vehicle_id } = Vehicle.parse(answer.json);
      const depths = (mm: number | null) => Object.fromEntries(POSITIONS.map((position) => [position, mm]));
      expect([answer.status, external_vehicle_id, inspections.map(({ depths_mm }) => depths_mm)]).toEqual([
        200,
        named.external_vehicle_id,
        [depths(5.1), depths(null)],
      ]);
      const treads = (tread: VehicleTread | null) => Object.fromEntries(POSITIONS.map((position) => [position, tread]));
      expect(inspections.map((one) => one.treads)).toEqual([
        treads({ depth_interval_mm: null, is_bald: false, is_partly_unseen: false, is_image_shared: false }),
        treads(null),
      ]);
      expect(inspections[0]!.links.self).toBe(`${gateway.origin}/api/v1/reports/${measured}`);
      const [theirs, nobodys] = await Promise.all([vehicle(named.external_vehicle_id, others), vehicle('car-nobody')]);
      expect([refused(theirs), refused(nobodys), theirs.text]).toEqual([[404, 'not_found', null], [404, 'not_found', null], nobodys.text]);
    });
  });

  describe('POST /webhooks/replay', () => {
    const period = { queued_from: '2020-01-01T00:00:00Z', queued_before: '2999-01-01T00:00:00Z' };

    it('returns 202 with the number of callbacks, of its project only', async () => {
      const withCallback = { ...creation('measured'), callback_url: 'https://10.0.0.1/hook' };
      await eventually(async () => (await call('POST', '/reports', withCallback)).status === 202);
      // The guard refuses this address, so that its callback ends when the report is complete.
      const replayed = await eventually(async () => {
        const answer = await call('POST', '/webhooks/replay', { ...period, types: ['report.completed'] });
        return (answer.json as ReplayResponse).replayed > 0 && answer;
      });
      expect([replayed.status, replayed.json]).toEqual([202, { replayed: 1, next_cursor: null }]);
      const answer = await call(
        'POST',
        '/webhooks/replay',
        { ...period, state: 'delivered', types: ['content.ready'], cursor: null },
        {},
        others,
      );
      expect([answer.status, ReplayResponse.parse(answer.json)]).toEqual([202, { replayed: 0, next_cursor: null }]);
    });

    it.each([
      [{}, 'queued_from'],
      [{ ...period, queued_before: period.queued_from }, 'queued_before'],
      [{ ...period, queued_from: '0001-01-01T00:00:00Z' }, 'queued_from'],
      [{ ...period, state: 'pending' }, 'state'],
      [{ ...period, types: ['callback.test'] }, 'types[0]'],
      [{ ...period, cursor: 'x' }, 'cursor'],
    ])('refuses %j', async (body, param) => {
      expect(refused(await call('POST', '/webhooks/replay', body))).toEqual([422, 'validation_error', param]);
    });
  });

  describe('GET /reports/{id}/content', () => {
    it('returns 202 with Retry-After and a valid body while the images are measured', async () => {
      const id = await create('silent');
      const answer = await call('GET', `/reports/${id}/content`, undefined, { 'if-none-match': '*' });
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('etag')]).toEqual([202, '5', null]);
      expect(answer.headers.get('cache-control')).toContain('private');
      expect(Content.parse(answer.json)).toEqual(answer.json);
      expect(answer.json).toMatchObject({
        report_id: id,
        status: 'pending',
        report_context: { plate_number: '12가 3456', template_key: 'tire_4t_0s' },
      });
    });

    it('returns 200 without an ETag when the analysis has failed', async () => {
      const id = await create('away');
      const answer = await eventually(async () => {
        const reply = await call('GET', `/reports/${id}/content`);
        return reply.status !== 202 && reply;
      });
      expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-location')]).toEqual([200, null, null]);
      expect(Content.parse(answer.json)).toEqual(answer.json);
      expect(answer.json).toMatchObject({ status: 'failed', error: { code: 'content_source_incomplete' } });
    });

    describe('when it is ready', () => {
      let id: string;
      let ready: Reply;

      beforeAll(async () => {
        id = await create('measured');
        ready = await eventually(
          async () => {
            const reply = await call('GET', `/reports/${id}/content`);
            return reply.status === 200 && reply;
          },
          { message: 'There is no content' },
        );
      });

      it('returns 200 with a weak ETag and the address of the revision', () => {
        expect(Content.parse(ready.json)).toEqual(ready.json);
        const { status, content_revision, links } = ready.json as Content;
        expect(status).toBe('ready');
        expect(ready.headers.get('etag')).toMatch(/^W\/"[^"]+"$/);
        expect(ready.headers.get('content-location')).toBe(links.canonical);
        expect(links.canonical).toBe(`${gateway.origin}/api/v1/reports/${id}/content/${content_revision}`);
        expect(ready.headers.get('cache-control')).toContain('private');
      });

      it('returns 304 without a body for a matching ETag, at the alias and at the fixed address', async () => {
        const etag = ready.headers.get('etag')!;
        const fixed = new URL(ready.headers.get('content-location')!).pathname.slice('/api/v1'.length);
        for (const path of [`/reports/${id}/content`, fixed]) {
          for (const ifNoneMatch of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
            const answer = await call('GET', path, undefined, { 'if-none-match': ifNoneMatch });
            expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
          }
          expect((await call('GET', path, undefined, { 'if-none-match': 'W/"x"' })).status).toBe(200);
        }
      });

      it('returns the same bytes at the fixed address, and 404 for other revisions and other projects', async () => {
        const fixed = new URL(ready.headers.get('content-location')!).pathname.slice('/api/v1'.length);
        const answer = await call('GET', fixed);
        expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([200, ready.text, ready.headers.get('etag')]);
        expect(refused(await call('GET', `/reports/${id}/content/${newId()}`))).toEqual([404, 'not_found', null]);
        expect(refused(await call('GET', fixed, undefined, {}, others))).toEqual([404, 'not_found', null]);
        const otherReport = await create('silent');
        const mixed = fixed.replace(id, otherReport);
        expect(refused(await call('GET', mixed))).toEqual([404, 'not_found', null]);
      });
    });
  });

  it('GET /reports/{id}/share returns the link immediately after the creation', async () => {
    const created = CreateReportResponse.parse((await call('POST', '/reports', creation('silent'))).json);
    const shareOf = () => call('GET', `/reports/${created.report_id}/share`);
    const first = await shareOf();
    expect([first.status, ShareRecord.parse(first.json)]).toEqual([200, first.json]);
    expect(first.json).toMatchObject({ report_id: created.report_id, status: 'closed', share_url: created.share_url });
    const record = await eventually(async () => {
      const { json } = await shareOf();
      return ShareRecord.parse(json).expires_at !== null && ShareRecord.parse(json);
    });
    expect(record).toMatchObject({ status: 'closed', share_url: created.share_url, revoked_at: null });
  });
});
