import {
  after,
  answerToSlot,
  inTurn,
  isOvertaken,
  isUnsent,
  mayReplaceToo,
  nextStep,
  REFUSED_UPLOADS_MAX,
  SILENT_UPLOADS_MAX,
  troubles,
  type Answer,
  type Photo,
  type Stage,
} from '../web/uploads/photo';
import { photoOf, TARGET } from './testing/photo.fixture';

const STAGES: Record<string, Stage> = {
  waiting: { at: 'waiting' },
  addressed: { at: 'addressed', target: TARGET },
  uploaded: { at: 'uploaded', target: TARGET },
  registering: { at: 'registering', target: TARGET, over: null },
  registered: { at: 'registered', assetId: 'asset' },
  contested: { at: 'contested', target: TARGET },
  'contested before an upload': { at: 'contested', target: null },
  'refused by the link': { at: 'refused', why: 'link' },
  'refused at the end': { at: 'refused', why: 'ended' },
  'refused by the report': { at: 'refused', why: 'closed' },
};

const ANSWERS: Record<string, Answer> = {
  addressed: { type: 'addressed', target: TARGET },
  uploaded: { type: 'uploaded' },
  addressRefused: { type: 'addressRefused' },
  registering: { type: 'registering', over: null },
  registered: { type: 'registered' },
  uploadRefused: { type: 'uploadRefused' },
  contested: { type: 'contested' },
  insisted: { type: 'insisted', over: 'other' },
  ended: { type: 'refused', why: 'ended' },
  reopened: { type: 'reopened' },
  postponed: { type: 'postponed' },
};

/** Each stage with each answer: where it leads. A stage that stays is written out too. */
const EXPECTED: Record<keyof typeof STAGES, string> = {
  //            addressed uploaded addressRefused registering registered uploadRefused contested insisted ended reopened postponed
  waiting: 'addressed waiting waiting waiting registered waiting contested waiting refused waiting waiting',
  addressed: 'addressed uploaded waiting addressed registered waiting contested addressed refused addressed addressed',
  uploaded: 'addressed uploaded waiting registering registered waiting contested uploaded refused uploaded uploaded',
  registering: 'addressed registering waiting registering registered waiting contested registering refused registering registering',
  registered: 'registered registered registered registered registered registered registered registered registered registered registered',
  contested: 'addressed contested waiting contested registered waiting contested uploaded refused contested contested',
  'contested before an upload': 'addressed contested waiting contested registered waiting contested waiting refused contested contested',
  'refused by the link': 'refused refused refused refused refused refused refused refused refused waiting refused',
  'refused at the end': 'refused refused refused refused refused refused refused refused refused waiting refused',
  'refused by the report': 'refused refused refused refused refused refused refused refused refused refused refused',
};

describe('a photograph on its way', () => {
  it.each(Object.entries(EXPECTED))('%s goes where each answer leads', (stage, expected) => {
    const photo = photoOf({ stage: STAGES[stage] });
    const led = Object.values(ANSWERS).map((answer) => after(photo, answer).stage.at);
    expect(led.join(' ')).toBe(expected);
  });

  it('walks through every step to the registration', () => {
    let photo: Photo = photoOf({});
    const steps: string[] = [];
    for (const answer of [ANSWERS['addressed'], ANSWERS['uploaded'], ANSWERS['registering'], ANSWERS['registered']]) {
      steps.push(nextStep(photo));
      photo = after(photo, answer!);
    }
    expect(steps).toEqual(['address', 'upload', 'announce', 'register']);
    expect(isUnsent(photo)).toBe(false);
  });

  it('gives up a file that registrations refuse again and again, and no file because of addresses', () => {
    let photo: Photo = photoOf({});
    for (let i = 0; i < 20; i++) photo = after(after(photo, ANSWERS['addressed']!), ANSWERS['addressRefused']!);
    expect(photo).toMatchObject({ stage: { at: 'waiting' }, refusedAddresses: 20 });
    for (let i = 0; i < REFUSED_UPLOADS_MAX; i++) {
      expect(isUnsent(photo)).toBe(true);
      photo = after(photo, ANSWERS['uploadRefused']!);
    }
    expect(photo.stage).toEqual({ at: 'refused', why: 'unusable' });
  });

  it('takes a new address after three uploads without an answer, waits longer each time, and gives up no file because of it', () => {
    let photo: Photo = photoOf({});
    for (let round = 1; round <= 5; round++) {
      photo = after(photo, ANSWERS['addressed']!);
      for (let i = 1; i < SILENT_UPLOADS_MAX; i++) photo = after(photo, ANSWERS['postponed']!);
      expect([photo.stage.at, troubles(photo)]).toEqual(['addressed', round - 1 + SILENT_UPLOADS_MAX - 1]);
      photo = after(photo, ANSWERS['postponed']!);
      expect([photo.stage.at, troubles(photo)]).toEqual(['waiting', round]);
    }
    // The registration keeps its target: the upload is there.
    const registering = photoOf({ stage: STAGES['registering'], failures: 9 });
    expect(after(registering, ANSWERS['postponed']!).stage).toEqual(STAGES['registering']);
  });

  it('replaces what another device sent only when the person insists', () => {
    const contested = after(photoOf({ stage: STAGES['uploaded'] }), ANSWERS['contested']!);
    expect(contested.mayReplace).toEqual([]);
    expect(after(contested, ANSWERS['insisted']!)).toMatchObject({ mayReplace: ['other'], stage: { at: 'uploaded', target: TARGET } });
  });

  it.each<[string, string | null, Answer]>([
    ['an empty slot', null, { type: 'registering', over: null }],
    ['what the person saw', 'seen', { type: 'registering', over: 'seen' }],
    ['this photograph, whose answer was lost', 'asset', { type: 'registered' }],
    ['what another phone sent', 'other', { type: 'contested' }],
  ])('a look at the slot finds %s', (_, held, answer) => {
    for (const stage of [STAGES['uploaded']!, STAGES['registering']!])
      expect(answerToSlot(photoOf({ stage, mayReplace: ['seen'] }), held)).toEqual(answer);
  });

  it('keeps a limited number of assets that it may replace, the newest ones', () => {
    const known = Array.from({ length: 40 }, (_, i) => `asset-${i}`).reduce<string[]>((all, asset) => mayReplaceToo(all, asset), []);
    expect([known.length, known.at(-1)]).toEqual([16, 'asset-39']);
    expect(mayReplaceToo(['a'], 'a', null, undefined)).toEqual(['a']);
  });

  it.each<[string, Stage, Stage, boolean]>([
    ['a registered one is lost for a late tab', { at: 'registered', assetId: 'asset' }, { at: 'refused', why: 'lost' }, true],
    ['a registered one waits for a late tab', { at: 'registered', assetId: 'asset' }, { at: 'waiting' }, true],
    ['the same registration again', { at: 'registered', assetId: 'asset' }, { at: 'registered', assetId: 'asset' }, false],
    ['a refused one goes on in a late tab', { at: 'refused', why: 'ended' }, { at: 'uploaded', target: TARGET }, true],
    ['a refused one is opened again', { at: 'refused', why: 'ended' }, { at: 'waiting' }, false],
    ['an unusable one waits', { at: 'refused', why: 'unusable' }, { at: 'waiting' }, true],
    ['a late tab is a step behind', { at: 'registering', target: TARGET, over: null }, { at: 'uploaded', target: TARGET }, true],
    ['the next step', { at: 'uploaded', target: TARGET }, { at: 'registering', target: TARGET, over: null }, false],
    ['the same step fails again', { at: 'addressed', target: TARGET }, { at: 'addressed', target: TARGET }, false],
    ['a step with another target', { at: 'uploaded', target: TARGET }, { at: 'addressed', target: { ...TARGET, asset_id: 'b' } }, false],
    ['another phone was first', { at: 'uploaded', target: TARGET }, { at: 'contested', target: TARGET }, false],
    ['no target yet', { at: 'waiting' }, { at: 'addressed', target: TARGET }, false],
    ['a refused upload', { at: 'registering', target: TARGET, over: null }, { at: 'waiting' }, false],
    ['one in dispute goes on in a late tab', { at: 'contested', target: TARGET }, { at: 'registering', target: TARGET, over: null }, true],
    ['one in dispute was registered', { at: 'contested', target: TARGET }, { at: 'registered', assetId: 'asset' }, false],
  ])('overtaken: %s', (_, was, is, expected) => {
    expect(isOvertaken(photoOf({ stage: was }), photoOf({ stage: is }))).toBe(expected);
  });

  it.each<[string, string[], string | null]>([
    ['a new asset', [], 'other'],
    ['an asset that it may replace already', ['other'], 'other'],
    ['a slot that is empty again', [], null],
    ['an asset that takes the place of the oldest one', Array.from({ length: 16 }, (_, i) => `asset-${i}`), 'other'],
  ])('one in dispute goes on when the person insists over %s', (_, mayReplace, over) => {
    const contested = photoOf({ stage: STAGES['contested'], mayReplace });
    expect(isOvertaken(contested, after(contested, { type: 'insisted', over }))).toBe(false);
  });

  it('one that fails lets the others pass', () => {
    const [first, second, done] = [
      photoOf({ id: 'a', order: 1, failures: 2 }),
      photoOf({ id: 'b', order: 2 }),
      photoOf({ id: 'c', order: 0 }),
    ];
    const registered = after(done, ANSWERS['registered']!);
    expect(inTurn([first, second, registered]).map(({ id }) => id)).toEqual(['b', 'a']);
  });
});
