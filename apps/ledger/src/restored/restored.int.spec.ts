import { EVENTS } from '@tire/contracts/events';
import { GRPC_SERVICES, type assetsApi, type contentApi, type shareApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { grpcClient, readSealingKeys } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, SEALING_KEYS, startWorld, treadMeasurement, type World } from '../testing/world';
import { optionsOf } from './command';
import { RestoredCheck, type CheckOptions } from './restored-check';

const ETAG = 'W/"1"';
const EXPIRES = '2099-01-01T00:00:00.000Z';

let peer: AssetsPeer;
let world: World;
let clients: {
  content: Client<contentApi.ContentServiceClient>;
  share: Client<shareApi.ShareServiceClient>;
  assets: Client<assetsApi.AssetServiceClient>;
};
type Client<C> = ReturnType<typeof grpcClient<C>>;

beforeAll(async () => {
  peer = await startAssetsPeer();
  world = await startWorld({ overdueMs: 60_000, assetsUrl: peer.address, holdersUrl: peer.address });
  clients = {
    content: grpcClient(GRPC_SERVICES.content, peer.address),
    share: grpcClient(GRPC_SERVICES.share, peer.address),
    assets: grpcClient(GRPC_SERVICES.assets, peer.address),
  };
});

afterAll(async () => {
  for (const client of Object.values(clients ?? {})) client.onApplicationShutdown();
  await world?.stop();
  await peer?.close();
});

const opened: string[] = [];
const check = (over: Partial<CheckOptions> = {}, holders: Partial<typeof clients> = {}) =>
  new RestoredCheck(
    world.database,
    readSealingKeys(SEALING_KEYS)!,
    { ...clients, ...holders, opens: (token) => Promise.resolve(opened.push(token) > 0 && token !== 'closed') },
    { since: null, repair: false, pages: false, ...over },
    world.clock.now(),
  ).run();

/** Published, as content and share have it too. */
async function published() {
  const request = creationRequest({ templateKey: 'tire_4t_0s' });
  const { projectId } = request;
  const { reportId } = await world.create(request);
  for (const { slotId } of request.images) await world.publishFetched(projectId, reportId, slotId);
  for (const work of await world.received.analyzeTread.of(reportId, 4))
    await world.publishFinished(work, { $case: 'tread', value: treadMeasurement() });
  const [{ analysisRevision } = { analysisRevision: '' }] = await world.received.analysisEnded.of(reportId, 1);
  const contentRevision = newId();
  const ready = {
    projectId,
    reportId,
    analysisRevision,
    analysisStatus: 'complete',
    errorCode: '',
    contentRevision,
    etag: ETAG,
    verdict: 'good',
  };
  await world.publish(EVENTS.contentGenerated, ready);
  const { registration } = await world.ledger.getPublicationState({ projectId, reportId, forChange: false });
  const held = { version: 2, publicationStatus: 'published', publishedAt: EXPIRES, analysisRevision, linkExpiresAt: EXPIRES };
  peer.publications.set(reportId, { ...held, shareToken: registration!.shareToken });
  peer.documents.set(contentRevision, ETAG);
  await world.ledger.applyPublication({ projectId, reportId, ...held, shareToken: registration!.shareToken });
  await eventually(async () => (await world.report(projectId, reportId)).summary_status === 'complete');
  return { projectId, reportId, contentRevision, analysisRevision, token: registration!.shareToken, held };
}

const named = async (reportId: string, over: Partial<CheckOptions> = {}) =>
  (await check(over)).named.find(({ report_id }) => report_id === reportId)?.differences ?? [];

describe('check-restored', () => {
  it('finds nothing where nothing was lost, and opens the page of each published report', async () => {
    const { reportId, token } = await published();
    expect(await named(reportId, { pages: true })).toEqual([]);
    expect(opened).toContain(token);
  });

  it('lets lost content be issued again under its id', async () => {
    const { reportId, contentRevision } = await published();
    peer.documents.delete(contentRevision);
    expect(await named(reportId)).toEqual(['content_lost']);
    expect(world.received.analysisEnded.count(reportId)).toBe(1);
    expect(await named(reportId, { repair: true })).toEqual(['content_lost']);
    await world.reconciler.sweep();
    expect((await world.received.analysisEnded.of(reportId, 2))[1]).toMatchObject({ contentRevision });
  });

  it('lets a lost publication be made again, and accepts the versions that follow', async () => {
    const { projectId, reportId, analysisRevision, token, held } = await published();
    peer.publications.delete(reportId);
    expect(await named(reportId, { repair: true })).toEqual(['publication_lost']);
    expect((await world.report(projectId, reportId)).publication_status).toBe('unpublished');
    await world.reconciler.sweep();
    expect((await world.received.analysisEnded.of(reportId, 2))[1]).toMatchObject({ analysisRevision });
    await world.ledger.applyPublication({ projectId, reportId, ...held, version: 1, shareToken: token });
    expect((await world.report(projectId, reportId)).publication_status).toBe('published');
  });

  it('ends a link again that was ended, and gives a lost link back', async () => {
    const ended = await published();
    await world.ledger.applyPublication({ ...ended, ...ended.held, version: 3, shareToken: undefined });
    const reissued = await published();
    await world.ledger.applyPublication({ ...reissued, ...reissued.held, version: 3, shareToken: 'reissued' });
    const { named: found } = await check({ repair: true });
    const of = (reportId: string) => found.find(({ report_id }) => report_id === reportId)?.differences;
    expect(of(ended.reportId)).toEqual(['publication_lost', 'revocation_lost']);
    expect(of(reissued.reportId)).toEqual(['publication_lost', 'link_lost']);
    expect(peer.revoked).toContain(ended.reportId);
    expect(peer.reissued).toContain(`${reissued.reportId} reissued`);
    expect((await world.report(ended.projectId, ended.reportId)).links.share).toBeNull();
    expect((await world.report(reissued.projectId, reissued.reportId)).links.share).toMatch(/reissued$/);
    expect([await named(ended.reportId), await named(reissued.reportId)]).toEqual([[], []]);
  });

  it('removes again what was discarded, names a page that does not open, and looks only at what changed since', async () => {
    const discarded = await published();
    await world.ledger.discardReport(discarded);
    expect(await named(discarded.reportId)).toEqual(['removal_lost']);
    peer.removed.length = 0;
    await check({ repair: true });
    expect(peer.removed.sort()).toEqual(
      expect.arrayContaining(['assets', 'content', 'share'].map((name) => `${name} ${discarded.reportId}`)),
    );
    const forgotten = await published();
    peer.publications.set(forgotten.reportId, { version: 0, publicationStatus: 'discarded' });
    expect(await named(forgotten.reportId, { repair: true })).toEqual(['removal_lost']);
    await world.reconciler.sweep();
    await expect(world.report(forgotten.projectId, forgotten.reportId)).rejects.toThrow('not_found');
    expect(await named(forgotten.reportId)).toEqual([]);
    const closed = await published();
    peer.publications.set(closed.reportId, { ...closed.held, version: 3, shareToken: 'closed' });
    await world.ledger.applyPublication({ ...closed, ...closed.held, version: 3, shareToken: 'closed' });
    expect(await named(closed.reportId, { pages: true })).toEqual(['page_closed']);
    expect(await check({ since: new Date(world.clock.now().getTime() + 1) })).toMatchObject({ reports: 0, discarded: 0 });
  });

  it('leaves the data of a discarded report that is under legal hold, and finds no difference', async () => {
    const held = await published();
    await world.ledger.holdReport({ projectId: held.projectId, reportId: held.reportId, reason: 'Case 7' });
    await world.ledger.discardReport(held);
    peer.removed.length = 0;
    expect(await named(held.reportId, { repair: true })).toEqual([]);
    expect(peer.removed.filter((entry) => entry.endsWith(held.reportId))).toEqual([]);
    await world.ledger.releaseReport(held);
    expect(await named(held.reportId, { repair: true })).toEqual(['removal_lost']);
  });

  it('goes on where the repair of one report is refused', async () => {
    const [gone, other] = [await published(), await published()];
    peer.publications.delete(gone.reportId);
    peer.documents.delete(other.contentRevision);
    /** It is removed between the reading of the check and its repair. */
    const getPublication: typeof clients.share.getPublication = async (request, options) => {
      if (request.reportId === gone.reportId) await world.ledger.eraseReport({ projectId: gone.projectId, reportId: gone.reportId });
      return clients.share.getPublication(request, options);
    };
    const get = (share: typeof clients.share, name: string | symbol): unknown =>
      name === 'getPublication' ? getPublication : Reflect.get(share, name);
    const { refused, named: found } = await check({ repair: true }, { share: new Proxy(clients.share, { get }) });
    expect(refused).toBe(1);
    expect(found.map(({ report_id }) => report_id)).toEqual(expect.arrayContaining([gone.reportId, other.reportId]));
  });

  it.each([
    [['--since', '2026-11-27T10:00:00Z', '--repair'], { since: new Date('2026-11-27T10:00:00Z'), repair: true, pages: false }],
    [[], { since: null, repair: false, pages: false }],
    [['--since', 'yesterday'], null],
    [['--unknown'], null],
  ])('reads %j', (args, options) => expect(optionsOf(args)).toEqual(options));
});
