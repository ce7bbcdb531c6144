import { newId } from '@tire/kernel';
import { readSealingKeys, resealAll, createDataSource, Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { SEALED_COLUMNS } from '../sealed-columns';
import { openToken, tokenDigest } from '../reports/share-token';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, SEALING_KEYS, startWorld, type World } from '../testing/world';

let peer: AssetsPeer;
let world: World;

beforeAll(async () => {
  peer = await startAssetsPeer();
  world = await startWorld({ assetsUrl: peer.address, holdersUrl: peer.address });
});

afterAll(async () => {
  await world?.stop();
  await peer?.close();
});

const OPEN = 'https://share.example/r/';

async function created(over: Parameters<typeof creationRequest>[0] = {}) {
  const request = creationRequest({ images: [], ...over });
  const { projectId } = request;
  const { reportId } = await world.create(request);
  return { projectId, reportId, request };
}

const linkOf = async ({ projectId, reportId }: { projectId: string; reportId: string }) =>
  (await world.report(projectId, reportId)).links.share;

describe('share tokens in the ledger', () => {
  it('an event with the link of the creation needs no call', async () => {
    const report = await created();
    const link = (await linkOf(report))!;
    const linkDigest = tokenDigest(link.replace(OPEN, ''));
    await world.publishJudged(report.projectId, report.reportId, 2, { linkDigest, linkExpiresAt: '2099-01-01T00:00:00.000Z' });
    await eventually(async () => (await linkOf(report)) === link);
    await world.publishJudged(report.projectId, report.reportId, 3, {});
    await eventually(async () => (await linkOf(report)) === null);
  });

  it('a link that is known only from its event is read from the share service', async () => {
    const report = await created();
    const token = 'a-reissued-token';
    const current = { version: 4, publicationStatus: 'unpublished', shareToken: token, linkExpiresAt: '2099-01-01T00:00:00.000Z' };
    peer.publications.set(report.reportId, current);
    await world.publishJudged(report.projectId, report.reportId, 3, { linkDigest: tokenDigest(token) });
    await eventually(async () => (await linkOf(report)) === `${OPEN}${token}`);
  });

  it('a link that only its event contains waits for the share service: the event is delivered again', async () => {
    const report = await created();
    const token = 'a-reissued-token-of-a-service-that-was-away';
    const before = await linkOf(report);
    await world.publishJudged(report.projectId, report.reportId, 3, { linkDigest: tokenDigest(token) });
    await eventually(() => peer.askedForPublication.includes(report.reportId));
    expect(await linkOf(report)).toBe(before);
    const linkExpiresAt = '2099-01-01T00:00:00.000Z';
    peer.publications.set(report.reportId, { version: 3, publicationStatus: 'unpublished', shareToken: token, linkExpiresAt });
    await eventually(async () => (await linkOf(report)) === `${OPEN}${token}`);
  });

  it('a creation that finds the report of its inspection answers with the link of the reissue', async () => {
    const { request, ...report } = await created({ externalInspectionId: newId() });
    const token = 'a-token-that-was-issued-after-the-creation';
    const shareUrl = async () =>
      (JSON.parse((await world.ledger.createReport(request)).responseJson.toString()) as { share_url: string }).share_url;
    expect(await shareUrl()).toBe(await linkOf(report));
    const linkExpiresAt = '2099-01-01T00:00:00.000Z';
    peer.publications.set(report.reportId, { version: 3, publicationStatus: 'unpublished', shareToken: token, linkExpiresAt });
    await world.publishJudged(report.projectId, report.reportId, 3, { linkDigest: tokenDigest(token) });
    await eventually(async () => (await linkOf(report)) === `${OPEN}${token}`);
    expect(await shareUrl()).toBe(`${OPEN}${token}`);
  });

  it('a token that was copied from another row fails the read of its report alone', async () => {
    const [one, other] = [await created(), await created()];
    const third = await created({ projectId: one.projectId });
    await world.asOwner(
      `UPDATE reports SET link_token = (SELECT link_token FROM reports WHERE report_id = '${other.reportId}') WHERE report_id = '${one.reportId}'`,
    );
    const keys = [one, other, third].map(({ projectId, reportId }) => ({ projectId, reportId }));
    const { answers } = await world.ledger.getReports({ keys, acceptsPart: true });
    expect(answers.map(({ errorCode }) => errorCode)).toEqual(['internal_error', '', '']);
  });

  it('a report whose token cannot be opened still returns its publication state, without a registration', async () => {
    const { projectId, reportId } = await created();
    const state = () => world.ledger.getPublicationState({ projectId, reportId, forChange: true });
    const whole = await state();
    expect(whole.registration).toMatchObject({ shareToken: (await linkOf({ projectId, reportId }))!.replace(OPEN, '') });
    const was = await world.asOwner('SELECT share_token FROM reports WHERE report_id = $1', [reportId]);
    await world.asOwner(`UPDATE reports SET share_token = '\\x00' WHERE report_id = $1`, [reportId]);
    expect(await state()).toEqual({ ...whole, registration: null });
    await world.asOwner('UPDATE reports SET share_token = $2 WHERE report_id = $1', [reportId, was[0]!['share_token']]);
  });

  it('a recorded answer that cannot be opened fails a repetition, and refuses another body as ever', async () => {
    const request = creationRequest({ images: [], idempotencyKey: newId() });
    const { reportId } = await world.create(request);
    await world.asOwner(`UPDATE idempotency_records SET response_json = '\\x00' WHERE report_id = $1`, [reportId]);
    const other = { ...request, requestDigest: Buffer.alloc(32, 1) };
    await expect(world.ledger.createReport(request)).rejects.toMatchObject({ code: 'internal_error' });
    await expect(world.ledger.createReport(other)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await world.asOwner('DELETE FROM idempotency_records WHERE report_id = $1', [reportId]);
  });

  it('a repeated creation gets the same bytes, which are sealed meanwhile, also under a newer key', async () => {
    const request = creationRequest({ images: [], idempotencyKey: newId() });
    const first = await world.ledger.createReport(request);
    const { report_id: reportId, share_url } = JSON.parse(first.responseJson.toString()) as { report_id: string; share_url: string };
    expect((await world.ledger.createReport(request)).responseJson).toEqual(first.responseJson);
    const select = `SELECT convert_from(substring(response_json FROM 3 FOR 4), 'LATIN1') AS key, position('share.example'::bytea IN response_json) AS at
                      FROM idempotency_records WHERE report_id = '${reportId}'`;
    expect(await world.asOwner(select)).toEqual([{ key: 'test', at: 0 }]);

    // The service opens with all keys. The command runs beside it with the new key in front.
    const fresh = `new:${Buffer.alloc(32, 9).toString('base64')}`;
    const source = createDataSource({ url: world.databaseUrl, poolSize: 1, applicationName: 'reseal' });
    await source.initialize();
    const { output: outcomes } = await resealAll(new Database(source), readSealingKeys(`${fresh},${SEALING_KEYS}`)!, SEALED_COLUMNS);
    expect(outcomes['idempotency_records.response_json']).toMatchObject({ resealed: 1, unopened: 0, left: 0 });
    // The row that the test before this one swapped.
    expect(outcomes['reports.link_token']).toMatchObject({ unopened: 1, left: 0 });
    await source.destroy();
    const [row] = await world.asOwner(`SELECT share_token, link_token FROM reports WHERE report_id = '${reportId}'`);
    for (const sealed of Object.values(row!) as Buffer[]) {
      const token = openToken(readSealingKeys(fresh)!, { projectId: request.projectId, reportId }, sealed);
      expect(`${OPEN}${token}`).toBe(share_url);
    }
  });
});
