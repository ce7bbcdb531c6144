import { newId } from '@tire/kernel';
import { type Command, decide, evolve, INITIAL, type Link, type Publication, type PublicationEvent } from './publication';

const NOW = new Date('2026-10-01T09:00:00Z');
const EARLIER = new Date('2026-09-30T09:00:00Z');
const LATER = new Date('2026-12-30T09:00:00Z');
const [first, second, third] = [1, 2, 3].map((n) => newId(Date.UTC(2026, 9, 1) + n)) as [string, string, string];
const ready = (analysisRevision: string) => ({
  analysisRevision,
  contentRevision: `content of ${analysisRevision}`,
  analysisStatus: 'complete',
});
const unmet = (analysisRevision: string) => ({ analysisRevision, contentRevision: null, analysisStatus: 'partial' });
const linkOf = (token: string, revokedAt: Date | null = null): Link => ({
  id: newId(),
  digest: Buffer.from(token),
  token: Buffer.from(token),
  createdAt: EARLIER,
  expiresAt: LATER,
  revokedAt,
});
const link = linkOf('first');

const COMMANDS = {
  register: { kind: 'register', link },
  'older ready': { kind: 'contentGenerated', outcome: ready(first) },
  'older unmet': { kind: 'contentGenerated', outcome: unmet(first) },
  'same again': { kind: 'contentGenerated', outcome: ready(second) },
  'newer ready': { kind: 'contentGenerated', outcome: ready(third) },
  'newer unmet': { kind: 'contentGenerated', outcome: unmet(third) },
  'revoke link': { kind: 'revokeLink' },
  'issue link': { kind: 'issueLink', link: linkOf('second') },
  'finish capture': { kind: 'finishCapture', at: NOW },
  'finish an earlier capture': { kind: 'finishCapture', at: EARLIER },
  discard: { kind: 'discard' },
} satisfies Record<string, Command>;

type CommandName = keyof typeof COMMANDS;

const STATES = {
  absent: INITIAL,
  'held, ready': { status: 'held', last: ready(second) },
  'held, unmet': { status: 'held', last: unmet(second) },
  'unpublished, nothing heard': { status: 'unpublished', version: 1, link, last: null, captureFinishedAt: null },
  'unpublished, unmet': { status: 'unpublished', version: 1, link, last: unmet(second), captureFinishedAt: EARLIER },
  published: { status: 'published', version: 2, link, last: ready(second), publishedAt: EARLIER, captureFinishedAt: EARLIER },
  'published, link revoked': {
    status: 'published',
    version: 3,
    link: linkOf('first', EARLIER),
    last: ready(second),
    publishedAt: EARLIER,
    captureFinishedAt: NOW,
  },
  revoked: { status: 'revoked', version: 3, link, last: unmet(second), publishedAt: EARLIER, captureFinishedAt: EARLIER },
  discarded: { status: 'discarded' },
} satisfies Record<string, Publication>;

type StateName = keyof typeof STATES;

const LINK: Partial<Record<CommandName, string>> = {
  'revoke link': 'linkRevoked',
  'issue link': 'linkIssued',
  'finish capture': 'captureFinished',
  discard: 'discarded',
};
const NOT_REGISTERED: Partial<Record<CommandName, string>> = {
  'revoke link': 'throws',
  'issue link': 'throws',
  'finish capture': 'throws',
  'finish an earlier capture': 'throws',
  discard: 'discarded',
};

/** The result of each command in each state. A command that is not listed changes nothing. */
const TABLE: Record<StateName, Partial<Record<CommandName, string>>> = {
  absent: {
    ...NOT_REGISTERED,
    register: 'registered',
    'older ready': 'contentHeld',
    'older unmet': 'contentHeld',
    'same again': 'contentHeld',
    'newer ready': 'contentHeld',
    'newer unmet': 'contentHeld',
  },
  'held, ready': {
    ...NOT_REGISTERED,
    register: 'registered published',
    'newer ready': 'contentHeld',
    'newer unmet': 'contentHeld',
  },
  'held, unmet': {
    ...NOT_REGISTERED,
    register: 'registered gateUnmet',
    'newer ready': 'contentHeld',
    'newer unmet': 'contentHeld',
  },
  'unpublished, nothing heard': {
    ...LINK,
    'finish an earlier capture': 'captureFinished',
    'older ready': 'published',
    'older unmet': 'gateUnmet',
    'same again': 'published',
    'newer ready': 'published',
    'newer unmet': 'gateUnmet',
  },
  'unpublished, unmet': { ...LINK, 'newer ready': 'published', 'newer unmet': 'gateUnmet' },
  published: { ...LINK, 'newer ready': 'published', 'newer unmet': 'revoked' },
  'published, link revoked': {
    'issue link': 'linkIssued',
    discard: 'discarded',
    'newer ready': 'published',
    'newer unmet': 'revoked',
  },
  revoked: { ...LINK, 'newer ready': 'published', 'newer unmet': 'gateUnmet' },
  discarded: {},
};

const kindsOf = (state: Publication, command: Command): string => {
  try {
    return (
      decide(state, command, NOW)
        .map(({ kind }) => kind)
        .join(' ') || '-'
    );
  } catch {
    return 'throws';
  }
};

const run = (commands: Command[]): Publication =>
  commands.reduce<Publication>((state, command) => decide(state, command, NOW).reduce(evolve, state), INITIAL);

describe('publication', () => {
  const pairs = (Object.keys(STATES) as StateName[]).flatMap((state) =>
    (Object.keys(COMMANDS) as CommandName[]).map((command) => [state, command] as const),
  );

  it.each(pairs)('%s x %s', (state, command) => {
    expect(kindsOf(STATES[state], COMMANDS[command])).toBe(TABLE[state][command] ?? '-');
  });

  it('reaches every status from the first one', () => {
    const after = pairs.flatMap(([state, command]) => {
      if (kindsOf(STATES[state], COMMANDS[command]) === 'throws') return [];
      return [decide(STATES[state], COMMANDS[command], NOW).reduce<Publication>(evolve, STATES[state]).status];
    });
    expect(new Set(after)).toEqual(new Set(['held', 'unpublished', 'published', 'revoked', 'discarded']));
  });

  it('counts every change, so that the record keeps the newest state', () => {
    expect(run([COMMANDS.register])).toMatchObject({ version: 1 });
    expect(run([COMMANDS.register, COMMANDS['older ready'], COMMANDS['older ready'], COMMANDS.register])).toMatchObject({ version: 2 });
    expect(run([COMMANDS.register, COMMANDS['older ready'], COMMANDS['newer unmet']])).toMatchObject({ version: 3, status: 'revoked' });
    expect(run([COMMANDS.register, COMMANDS['revoke link'], COMMANDS['revoke link'], COMMANDS['issue link']])).toMatchObject({
      version: 3,
    });
  });

  it('has the same result for either order of messages', () => {
    const inOrder = run([COMMANDS.register, COMMANDS['older unmet'], COMMANDS['same again']]);
    const outOfOrder = run([COMMANDS['same again'], COMMANDS['older unmet'], COMMANDS.register]);
    expect({ ...outOfOrder, version: null }).toEqual({ ...inOrder, version: null });
  });

  it('keeps the time of publication while it stays published, and takes a new one after a revocation', () => {
    const after = (state: Publication, events: PublicationEvent[]) => events.reduce(evolve, state);
    expect(after(STATES.published, decide(STATES.published, COMMANDS['newer ready'], NOW))).toMatchObject({ publishedAt: EARLIER });
    expect(after(STATES.revoked, decide(STATES.revoked, COMMANDS['newer ready'], NOW))).toMatchObject({ publishedAt: NOW });
  });

  it('keeps the publication while its link is revoked and replaced', () => {
    const revoked = run([COMMANDS.register, COMMANDS['older ready'], COMMANDS['revoke link']]);
    expect(revoked).toMatchObject({ status: 'published', link: { digest: Buffer.from('first'), revokedAt: NOW } });
    const [event] = decide(revoked, COMMANDS['issue link'], NOW);
    expect(evolve(revoked, event!)).toMatchObject({ status: 'published', link: { digest: Buffer.from('second'), revokedAt: null } });
  });
});
