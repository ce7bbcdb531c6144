import { newId } from '@tire/kernel';
import { type Command, decide, evolve, INITIAL, type Publication, type PublicationEvent } from './publication';

const NOW = new Date('2026-10-01T09:00:00Z');
const EARLIER = new Date('2026-09-30T09:00:00Z');
const [first, second, third] = [1, 2, 3].map((n) => newId(Date.UTC(2026, 9, 1) + n)) as [string, string, string];
const ready = (analysisRevision: string) => ({ analysisRevision, contentRevision: `content of ${analysisRevision}` });
const unmet = (analysisRevision: string) => ({ analysisRevision, contentRevision: null });
const content = (outcome: ReturnType<typeof ready> | ReturnType<typeof unmet>): Command => ({ kind: 'contentGenerated', outcome });
const REGISTER: Command = { kind: 'register' };

const STATES = {
  absent: INITIAL,
  'held, ready': { status: 'held', last: ready(second) },
  'held, unmet': { status: 'held', last: unmet(second) },
  'unpublished, nothing heard': { status: 'unpublished', version: 1, last: null },
  'unpublished, unmet': { status: 'unpublished', version: 1, last: unmet(second) },
  published: { status: 'published', version: 2, last: ready(second), publishedAt: EARLIER },
  revoked: { status: 'revoked', version: 3, last: unmet(second), publishedAt: EARLIER },
} satisfies Record<string, Publication>;

type Expected = [
  state: keyof typeof STATES,
  name: string,
  command: Command,
  kinds: PublicationEvent['kind'][],
  after: Publication['status'],
];

const TABLE: Expected[] = [
  ['absent', 'register', REGISTER, ['registered'], 'unpublished'],
  ['absent', 'content ready', content(ready(first)), ['contentHeld'], 'held'],
  ['absent', 'content unmet', content(unmet(first)), ['contentHeld'], 'held'],
  ['held, ready', 'register', REGISTER, ['registered', 'published'], 'published'],
  ['held, ready', 'the same content', content(ready(second)), [], 'held'],
  ['held, ready', 'older content', content(unmet(first)), [], 'held'],
  ['held, ready', 'newer content', content(unmet(third)), ['contentHeld'], 'held'],
  ['held, unmet', 'register', REGISTER, ['registered', 'gateUnmet'], 'unpublished'],
  ['unpublished, nothing heard', 'register', REGISTER, [], 'unpublished'],
  ['unpublished, nothing heard', 'content ready', content(ready(first)), ['published'], 'published'],
  ['unpublished, nothing heard', 'content unmet', content(unmet(first)), ['gateUnmet'], 'unpublished'],
  ['unpublished, unmet', 'older ready content', content(ready(first)), [], 'unpublished'],
  ['unpublished, unmet', 'newer ready content', content(ready(third)), ['published'], 'published'],
  ['published', 'register', REGISTER, [], 'published'],
  ['published', 'the same content', content(ready(second)), [], 'published'],
  ['published', 'older unmet content', content(unmet(first)), [], 'published'],
  ['published', 'newer ready content', content(ready(third)), ['published'], 'published'],
  ['published', 'newer unmet content', content(unmet(third)), ['revoked'], 'revoked'],
  ['revoked', 'register', REGISTER, [], 'revoked'],
  ['revoked', 'older ready content', content(ready(first)), [], 'revoked'],
  ['revoked', 'newer unmet content', content(unmet(third)), ['gateUnmet'], 'revoked'],
  ['revoked', 'newer ready content', content(ready(third)), ['published'], 'published'],
];

describe('publication', () => {
  it.each(TABLE)('%s: %s', (name, _label, command, kinds, after) => {
    const state: Publication = STATES[name];
    const events = decide(state, command, NOW);
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
    expect(events.reduce(evolve, state).status).toBe(after);
  });

  it('reaches every status', () => {
    expect(new Set([...TABLE.map(([, , , , after]) => after), INITIAL.status])).toEqual(
      new Set<Publication['status']>(['absent', 'held', 'unpublished', 'published', 'revoked']),
    );
  });

  it('counts every change that a reader sees, and no other', () => {
    const run = (commands: Command[]) =>
      commands.reduce<Publication>((state, command) => decide(state, command, NOW).reduce(evolve, state), INITIAL);
    expect(run([REGISTER])).toMatchObject({ version: 1 });
    expect(run([REGISTER, content(ready(first))])).toMatchObject({ version: 2 });
    expect(run([REGISTER, content(ready(first)), content(ready(first)), REGISTER])).toMatchObject({ version: 2 });
    expect(run([REGISTER, content(ready(first)), content(unmet(second)), content(unmet(third))])).toMatchObject({ version: 3 });
  });

  it('ends the same whichever message came first', () => {
    const run = (commands: Command[]) =>
      commands.reduce<Publication>((state, command) => decide(state, command, NOW).reduce(evolve, state), INITIAL);
    expect(run([content(ready(second)), content(unmet(first)), REGISTER])).toEqual(
      run([REGISTER, content(unmet(first)), content(ready(second))]),
    );
  });

  it('keeps the time of publication while it stays published, and takes a new one after a revocation', () => {
    const published = STATES.published as Publication;
    expect(decide(published, content(ready(third)), NOW).reduce(evolve, published)).toMatchObject({ publishedAt: EARLIER });
    const revoked = STATES.revoked as Publication;
    expect(decide(revoked, content(ready(third)), NOW).reduce(evolve, revoked)).toMatchObject({ publishedAt: NOW });
  });
});
