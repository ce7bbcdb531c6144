import { errorOfCode, newId } from '@tire/kernel';
import { requestContext } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import { OPEN_LINKS_MAX } from '../domain/vehicle-link';
import { tokenDigest } from '../links/link.store';
import { ShareController } from '../publication/share.controller';
import { readPdf } from '../testing/pdf.fixture';
import { type RunningShare, startOwnShare } from '../testing/service.fixture';
import { vehicleFixture } from '../testing/vehicle.fixture';
import { VehicleLinkSweep } from './vehicle-link.sweep';
import { VehicleReader } from './vehicle.reader';

const DAY_MS = 86_400_000;

describe('the page of a vehicle', () => {
  let share: RunningShare;
  let nowMs = Date.parse('2026-11-27T00:00:00Z');
  let projectId: string;
  let vehicleId: string;
  beforeAll(async () => {
    share = await startOwnShare({ clock: { now: () => new Date(nowMs) } });
  });
  afterAll(() => share?.close());
  beforeEach(() => {
    [projectId, vehicleId] = [newId(), newId()];
    share.peers.vehicles.set(`${projectId} ${vehicleId}`, vehicleFixture({ vehicleIds: [vehicleId] }));
  });

  const calls = () => share.app.get(ShareController);
  const user = `user:${newId()}`;
  const create = (over: object = {}) =>
    requestContext.run({ requestId: 'request', actor: user }, () =>
      calls().createVehicleLink({ projectId, vehicleId, showsPlate: false, ...over }),
    );
  const get = (url: string) => share.app.inject({ method: 'GET', url: url.replace('https://share.example.com', '') });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: { code: string }) => error.code,
    );

  it('opens with its link only, in Korean first, with masked plate and the face of the partner', async () => {
    await calls().changePartner({ projectId, name: '한빛 <타이어>', phone: '1588-0000' });
    const { url, link } = await create();
    expect(link).toMatchObject({ status: 'active', createdBy: user, showsPlate: false });
    const page = await get(url);
    expect([page.statusCode, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([
      200,
      'private, no-store',
      'no-referrer',
    ]);
    for (const text of ['차량 타이어 이력', '12가 3***', '한빛 &lt;타이어&gt;', '약 6.4mm', '교체', '1.4mm (1.1~1.6)', '2019년 23주차'])
      expect(page.body).toContain(text);
    expect(page.body).not.toContain('12가3456');
    expect((await get(`${url}?lang=en`)).body).toContain('Tire history of a vehicle');
    expect((await get((await create({ showsPlate: true })).url)).body).toContain('12가3456');
    const context = { requestId: 'request' };
    await requestContext.run(context, () => share.app.get(VehicleReader).open(url.split('/').at(-1)!));
    expect(context).toEqual({ requestId: 'request', projectId });
    // A messenger makes an address longer.
    expect((await get(`${url}).`)).statusCode).toBe(200);
    const { rows } = await share.owner.query('SELECT token_digest, vehicle_links::text AS row FROM vehicle_links WHERE link_id = $1', [
      link!.linkId,
    ]);
    const token = url.split('/').at(-1)!;
    expect(rows[0].token_digest).toEqual(tokenDigest(token));
    expect(rows[0].row).not.toContain(token);
  });

  it('shows the branch of the newest inspection on page and PDF, and nothing of another project', async () => {
    await calls().changePartner({ projectId, name: '한빛 타이어', phone: '1588-0000', address: '세종대로 1' });
    const branchOf = async (of: string, name: string) =>
      (await calls().saveBranch({ projectId: of, archived: false, texts: { name, address: `${name} 앞길 7`, openingHours: '평일 9~18' } }))
        .branch!.branchId;
    const [first, second] = [await branchOf(projectId, '강남점'), await branchOf(projectId, '마포점')];
    const foreign = await branchOf(newId(), '남의 점포');
    const { url } = await create();
    const inspectedAt = (branchId?: string) =>
      share.peers.vehicles.set(`${projectId} ${vehicleId}`, vehicleFixture({ vehicleIds: [vehicleId], branchId }));
    const seen = async () => {
      const pdf = (await readPdf((await get(`${url}.pdf`)).rawPayload)).map(({ text }) => text).join(' ');
      return [(await get(url)).body, pdf];
    };
    const names = ['한빛 타이어', '강남점', '마포점', '남의 점포'];
    for (const [branchId, expected] of [
      [first, ['강남점']],
      [second, ['마포점']],
      [foreign, ['한빛 타이어']],
      [undefined, ['한빛 타이어']],
    ] as const) {
      inspectedAt(branchId);
      for (const text of await seen()) {
        expect(names.filter((name) => text.includes(name))).toEqual(expected);
        expect(text).toContain(expected[0] === '한빛 타이어' ? '세종대로 1' : `${expected[0]} 앞길 7`);
      }
    }
    inspectedAt(first);
    await calls().saveBranch({ projectId, branchId: first, archived: true, texts: { name: '강남 본점' } });
    for (const text of await seen()) expect(text).toContain('강남 본점');
  });

  it('says on page and PDF when it has the values of sample photographs, and only then', async () => {
    const { url } = await create();
    for (const hasSamples of [true, false]) {
      share.peers.vehicles.set(`${projectId} ${vehicleId}`, vehicleFixture({ vehicleIds: [vehicleId], hasSamples }));
      const pdf = (await readPdf((await get(`${url}.pdf`)).rawPayload)).map(({ text }) => text).join(' ');
      expect([(await get(url)).body.includes('<p class="samples">테스트 이력입니다.'), pdf.includes('테스트 이력입니다.')]).toEqual([
        hasSamples,
        hasSamples,
      ]);
      expect((await get(`${url}?lang=en`)).body.includes('This is a test.')).toBe(hasSamples);
    }
  });

  it('is a PDF too, with the same words, and each request checks the link', async () => {
    const { url, link } = await create();
    const korean = await get(`${url}.pdf`);
    expect([korean.statusCode, korean.headers['content-type']]).toEqual([200, 'application/pdf']);
    const textOf = async (bytes: Buffer) => (await readPdf(bytes)).map(({ text }) => text).join(' ');
    for (const text of ['차량 타이어 이력', '12가 3***', '1.4mm (1.1~1.6)', '교체', '한계 근접'])
      expect(await textOf(korean.rawPayload)).toContain(text);
    expect(await textOf((await get(`${url}.pdf?lang=en`)).rawPayload)).toContain('Reaches 1.6 mm');
    share.peers.vehicles.set(`${projectId} ${vehicleId}`, vehicleFixture({ plateNumber: '34나5678', vehicleIds: [vehicleId] }));
    expect(await textOf((await get(`${url}.pdf`)).rawPayload)).toContain('34나 5***');
    await calls().revokeVehicleLink({ projectId, vehicleId, linkId: link!.linkId });
    expect((await get(`${url}.pdf`)).statusCode).toBe(410);
    expect((await get(url)).statusCode).toBe(410);
    // Twice is once.
    const [first, again] = [
      await calls().listVehicleLinks({ projectId, vehicleId }),
      await calls().revokeVehicleLink({ projectId, vehicleId, linkId: link!.linkId }),
    ];
    expect(again.link).toEqual(first.links[0]);
  });

  it('a hundred inspections fit on bounded sheets', async () => {
    const { inspections, ...vehicle } = vehicleFixture({ vehicleIds: [vehicleId] });
    const many = Array.from({ length: 100 }, (_, n) => ({
      ...inspections[n % 5]!,
      inspectedAt: new Date(nowMs - (100 - n) * DAY_MS).toISOString(),
    }));
    share.peers.vehicles.set(`${projectId} ${vehicleId}`, { ...vehicle, inspections: many });
    const { url } = await create();
    const pdf = await get(`${url}.pdf`);
    expect(pdf.statusCode).toBe(200);
    expect((await readPdf(pdf.rawPayload)).length).toBeLessThanOrEqual(8);
    expect((await get(url)).body.length).toBeLessThan(100_000);
  });

  it('ends with its term and with the last report of the vehicle, and an unknown token is not found', async () => {
    const { url } = await create();
    share.peers.vehicles.delete(`${projectId} ${vehicleId}`);
    expect((await get(url)).statusCode).toBe(410);
    share.peers.vehicles.set(`${projectId} ${vehicleId}`, vehicleFixture({ inspections: [], wear: [], plateNumber: undefined }));
    expect((await get(url)).body).toContain('지금 볼 수 있는 점검이 없습니다.');
    nowMs += 90 * DAY_MS;
    const expired = await get(url);
    expect([expired.statusCode, expired.body.includes('12가')]).toEqual([410, false]);
    for (const token of [randomBytes(32).toString('base64url'), 'x', '%EA%B0', url.split('/').at(-1)!.slice(1)]) {
      expect([token, (await get(`/r/v/${token}`)).statusCode]).toEqual([token, 404]);
      expect([token, (await get(`/r/v/${token}.pdf`)).statusCode]).toEqual([token, 404]);
    }
    // Neither kind of link opens the page of the other.
    expect((await get(url.replace('/r/v/', '/r/'))).statusCode).toBe(404);
  });

  it('a ledger that does not answer gives 503, and no old page', async () => {
    const { url } = await create();
    share.peers.silent.add('vehicle');
    const answers = [await get(url), await get(`${url}.pdf`)];
    share.peers.silent.delete('vehicle');
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect((await get(url)).statusCode).toBe(200);
  });

  it('links of another project and of another vehicle are not found', async () => {
    const { link } = await create();
    const linkId = link!.linkId;
    const stranger = newId();
    const other = newId();
    share.peers.vehicles.set(`${projectId} ${other}`, vehicleFixture({ vehicleIds: [other] }));
    expect(await codeOf(calls().listVehicleLinks({ projectId: stranger, vehicleId }))).toBe('not_found');
    expect(await codeOf(calls().createVehicleLink({ projectId: stranger, vehicleId, showsPlate: false }))).toBe('not_found');
    for (const of of [
      { projectId: stranger, vehicleId },
      { projectId, vehicleId: other },
      { projectId, vehicleId: 'none' },
    ])
      expect(await codeOf(calls().revokeVehicleLink({ ...of, linkId }))).toBe('not_found');
    expect(await codeOf(calls().revokeVehicleLink({ projectId, vehicleId, linkId: newId() }))).toBe('not_found');
    expect((await calls().listVehicleLinks({ projectId, vehicleId: other })).links).toEqual([]);
  });

  it('of a merged vehicle is listed, ended and counted with the vehicle that it leads to', async () => {
    const { link } = await create();
    const root = newId();
    const merged = vehicleFixture({ plateNumber: '34나5678', vehicleIds: [root, vehicleId] });
    for (const id of [root, vehicleId]) share.peers.vehicles.set(`${projectId} ${id}`, merged);
    expect((await calls().listVehicleLinks({ projectId, vehicleId: root })).links.map(({ linkId }) => linkId)).toEqual([link!.linkId]);
    const made = await Promise.allSettled(Array.from({ length: OPEN_LINKS_MAX + 2 }, () => create({ vehicleId: root })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(OPEN_LINKS_MAX - 1);
    expect(await codeOf(create())).toBe(errorOfCode('conflict').code);
    const { link: ended } = await calls().revokeVehicleLink({ projectId, vehicleId: root, linkId: link!.linkId });
    expect(ended!.status).toBe('revoked');
    expect(await codeOf(create())).toBe('none');
  });

  it('a link that ended a year ago is removed, and one that ended later is not', async () => {
    const listed = async () => (await calls().listVehicleLinks({ projectId, vehicleId })).links.map(({ linkId }) => linkId);
    const { link } = await create();
    await calls().revokeVehicleLink({ projectId, vehicleId, linkId: link!.linkId });
    nowMs += 2 * DAY_MS;
    const { link: next } = await create();
    await calls().revokeVehicleLink({ projectId, vehicleId, linkId: next!.linkId });
    const sweep = share.app.get(VehicleLinkSweep);
    nowMs += 364 * DAY_MS;
    await sweep.sweep();
    expect(await listed()).toEqual([next!.linkId]);
    nowMs += 2 * DAY_MS;
    await sweep.sweep();
    expect(await listed()).toEqual([]);
  });

  it('a link that is open is listed before those that have ended since', async () => {
    const { link: open } = await create();
    for (let n = 0; n < 51; n++) {
      const { link } = await create();
      await calls().revokeVehicleLink({ projectId, vehicleId, linkId: link!.linkId });
    }
    const { links } = await calls().listVehicleLinks({ projectId, vehicleId });
    expect([links.length, links[0]!.linkId]).toEqual([50, open!.linkId]);
  });
});
