import { slotId } from '@tire/kernel';
import { becomes, describeWithBrowser } from '@tire/test-harness';
import { AROUND, nameOf, type Phone, phones } from './testing/phone.fixture';
import { eightPhotos } from './testing/photos.fixture';

const IDS = AROUND.map(slotId);
/** In the language of a page that knows no link. */
const UNREACHABLE = '서비스에 연결할 수 없습니다';

/** The worker has what it needs, and answers for the page. */
const isReady = (phone: Phone): Promise<unknown> =>
  phone.tab.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
    new Promise((done) => active.addEventListener('statechange', () => active.state === 'activated' && done())))`);

/** Everything that the page and its worker keep, as text. */
const keptBy = (phone: Phone): Promise<string> =>
  phone.tab.evaluate<string>(`(async () => {
    const kept = [JSON.stringify(localStorage)];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys())
        kept.push(name, request.url, await (await caches.match(request)).text());
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((done) => (indexedDB.open(name).onsuccess = ({ target }) => done(target.result)));
      for (const store of database.objectStoreNames)
        for (const task of ['getAll', 'getAllKeys'])
          kept.push(name, await new Promise((done) =>
            (database.transaction(store).objectStore(store)[task]().onsuccess = ({ target }) => done(JSON.stringify(target.result)))));
      database.close();
    }
    return kept.join('\\n');
  })()`);

describeWithBrowser('the page without a network', () => {
  const { serve, phoneAt } = phones();
  let photos: Buffer[];
  beforeAll(async () => {
    photos = await eightPhotos();
  });

  it('opens again with the photographs that wait, and sends them when the network is back', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await isReady(phone);
    await phone.tab.context().setOffline(true);
    await phone.give(photos[0]!);
    // The page goes on once the photograph is stored: a reload before that would lose it.
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    await phone.tap('Back');
    await phone.tab.reload();
    await phone.heading('Around the car').waitFor();
    await becomes(() => phone.stateOf(AROUND[0]!), expect.stringMatching(/^sending/));
    expect(await phone.checkState('offline-reload')).toEqual([]);
    // Further ones are taken after it.
    await phone.tab.locator(`.spot[data-slot="${IDS[1]!}"]`).click();
    await phone.give(photos[1]!);
    await phone.tap('Back');
    await phone.tab.context().setOffline(false);
    await becomes(() => Promise.all(AROUND.slice(0, 2).map((slot) => phone.stateOf(slot))), ['good', 'good']);
    expect(server.report.applied.map(({ slotId: id }) => id).toSorted()).toEqual(IDS.slice(0, 2).toSorted());
  });

  it('keeps neither the token nor what leads to the report, and of two links each its own', async () => {
    const shareUrl = 'https://share.example/r/secret-of-the-page';
    const server = await serve({
      session: { share_url: shareUrl, return_url: 'https://shop.example/back' },
      embedOrigins: 'https://shop.example',
    });
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await isReady(phone);
    // A page that the worker has answered for is kept no more than the first one.
    await phone.tab.reload();
    await phone.tap('I agree, start');
    const kept = await keptBy(phone);
    expect(kept).toContain(server.report.session.report_id);
    expect(kept).toContain('/capture/shell');
    for (const secret of [server.link.split('/').at(-1)!, 'secret-of-the-page', 'shop.example', '02-123-4567'])
      expect(kept).not.toContain(secret);
    server.isAway = true;
    await phone.tab.goto(server.issueLink());
    await phone.heading(UNREACHABLE).waitFor();
  });

  it('is the shell while the service is away, and forgets a link that was withdrawn meanwhile', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await isReady(phone);
    server.isAway = true;
    await phone.tab.reload();
    await phone.heading(/Hana Motors/).waitFor();
    server.report.session = { ...server.report.session, state: 'ended', ended_reason: 'revoked' };
    server.isAway = false;
    await phone.tab.evaluate(`window.dispatchEvent(new Event('online'))`);
    await phone.heading('This link was withdrawn.').waitFor();
    await becomes(async () => (await keptBy(phone)).includes(server.report.session.report_id), false);
    server.isAway = true;
    await phone.tab.reload();
    await phone.heading(UNREACHABLE).waitFor();
  });

  it('is that of the last build that the phone has loaded', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await isReady(phone);
    server.isNewBuild = true;
    await phone.tab.reload();
    await becomes(() => phone.tab.evaluate<string[]>('caches.keys()'), ['capture-0123456789abcdef']);
    server.isAway = true;
    await phone.tab.reload();
    await phone.heading(/Hana Motors/).waitFor();
    expect(await phone.tab.locator('meta[name="build"]').count()).toBe(1);
  });
});
