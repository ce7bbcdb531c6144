import { type Books, type Call, type Kept, type Levels, type Order, wrongInBooks, wrongInLevels } from './verdict';

const order = (over: Partial<Order> = {}): Order => ({
  key: 'k',
  reportIds: new Set(['r']),
  analyses: { accepted: 0, sent: 0 },
  ...over,
});
const kept = (over: Partial<Kept> = {}): Kept => ({
  reportId: 'r',
  analysisStatus: 'complete',
  publicationStatus: 'published',
  images: 4,
  analyses: 4,
  revisions: ['v1'],
  current: 'v1',
  ...over,
});
const call = (over: Partial<Call> = {}): Call => ({ webhookId: 'w1', reportId: 'r', revision: 'v1', ...over });
const books = (over: Partial<Books> = {}): Books => ({
  orders: [order()],
  kept: [kept()],
  calls: [call()],
  usage: { reports: 1, images: 4 },
  ...over,
});

const AGAIN = { accepted: 1, sent: 1 };
const TWICE = { revisions: ['v1', 'v2'], current: 'v2', analyses: 5 };

describe('the books of a soak', () => {
  it.each<[string, Partial<Books>]>([
    ['one report', {}],
    ['a callback that came twice', { calls: [call(), call()] }],
    [
      'a slot that was analyzed again',
      { orders: [order({ analyses: AGAIN })], kept: [kept(TWICE)], calls: [call(), call({ webhookId: 'w2', revision: 'v2' })] },
    ],
    [
      'an analysis that was sent twice, because its answer was lost, and was done once',
      {
        orders: [order({ analyses: { accepted: 1, sent: 2 } })],
        kept: [kept(TWICE)],
        calls: [call(), call({ webhookId: 'w2', revision: 'v2' })],
      },
    ],
  ])('are right with %s', (_, over) => expect(wrongInBooks(books(over))).toEqual([]));

  it.each<[string, Partial<Books>, RegExp]>([
    ['a lost report', { kept: [], usage: {}, calls: [] }, /^r is lost$/],
    ['a report that does not end', { kept: [kept({ analysisStatus: 'processing' })] }, /^r is processing, published$/],
    ['a report that is not published', { kept: [kept({ publicationStatus: 'pending' })] }, /^r is complete, pending$/],
    ['a lost image', { kept: [kept({ images: 3 })], usage: { reports: 1, images: 3 } }, /3 images/],
    ['two reports of one key', { orders: [order({ reportIds: new Set(['r', 's']) })] }, /2 reports of the key k/],
    ['one report of two keys', { orders: [order(), order({ key: 'l' })] }, /two keys/],
    ['a report without an order', { orders: [], kept: [kept()] }, /r was created by no order/],
    ['a result that came twice', { kept: [kept({ analyses: 5 })] }, /5 results in 1 revisions/],
    ['a revision without a request', { kept: [kept(TWICE)], calls: [call(), call({ webhookId: 'w2', revision: 'v2' })] }, /2 revisions/],
    ['a lost analysis', { orders: [order({ analyses: AGAIN })] }, /1 revisions/],
    ['a lost callback', { calls: [] }, /not called back about v1/],
    ['a lost callback about the last revision', { orders: [order({ analyses: AGAIN })], kept: [kept(TWICE)] }, /not called back about v2/],
    [
      'a lost callback about the first revision',
      { orders: [order({ analyses: AGAIN })], kept: [kept(TWICE)], calls: [call({ revision: 'v2' })] },
      /called back about 1 revisions/,
    ],
    ['a callback under two ids', { calls: [call(), call({ webhookId: 'w2' })] }, /r v1 was called back under several ids/],
    ['one id of two callbacks', { calls: [call(), call({ reportId: 's' })] }, /w1 is the id of several/],
    ['a callback about an unknown revision', { calls: [call(), call({ webhookId: 'w2', revision: 'v9' })] }, /r v9, which is not there/],
    ['a report that is counted twice', { usage: { reports: 2, images: 4 } }, /usage counts 2 reports of 1/],
    ['an image that is not counted', { usage: { reports: 1, images: 3 } }, /usage counts 3 images of 4/],
  ])('are wrong with %s', (_, over, message) =>
    expect(wrongInBooks(books(over))).toEqual(expect.arrayContaining([expect.stringMatching(message)])),
  );
});

describe('the levels after a soak', () => {
  const levels = (over: Partial<Levels> = {}): Levels => ({
    memoryMib: { ledger: 100 },
    handles: { ledger: 40 },
    processes: { node: 8 },
    rows: { 'ledger.slots': 0 },
    objects: { objects: 0 },
    ...over,
  });

  it.each<[Partial<Levels>, number]>([
    [{}, 0],
    [{ memoryMib: { ledger: 214 } }, 0],
    [{ memoryMib: { ledger: 215 } }, 1],
    [{ handles: { ledger: 74 } }, 0],
    [{ handles: { ledger: 75 } }, 1],
    [{ processes: { node: 9 } }, 1],
    [{ rows: { 'ledger.slots': 1, 'share.outbox': 1 } }, 2],
    [{ objects: { objects: 1 } }, 1],
  ])('%j: %i too high', (after, count) => expect(wrongInLevels(levels(), levels(after))).toHaveLength(count));
});
