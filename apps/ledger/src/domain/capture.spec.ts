import { newId } from '@tire/kernel';
import { captureState, endOfCapture, type CaptureLink } from './capture';
import { decide, type ReportCommand } from './decide';
import { isRefusal } from './refusal';
import type { Report, ReportState } from './report';
import { apply, created, identityOf, NOW, opened, reportStates } from './report.fixture';

const later = (ms: number) => new Date(NOW.getTime() + ms).toISOString();
const DIGEST = Buffer.from('digest of the link');

const LINK: CaptureLink = {
  digest: DIGEST,
  language: 'ko',
  returnUrl: null,
  expiresAt: later(60_000),
  openedAt: null,
  finishedAt: null,
  revokedAt: null,
};

const upload = opened(created('tire_4t_0s', [], { intake: 'upload' }));
const withLink = (over: Partial<CaptureLink> | null, publication: Partial<Report['publication']> = {}): Report => ({
  ...upload,
  capture: over && { ...LINK, ...over },
  publication: { ...upload.publication, ...publication },
});

/** The report by the state of its link. */
const LINKS = {
  none: withLink(null),
  issued: withLink({}),
  opened: withLink({ openedAt: later(-1) }),
  finished: withLink({ openedAt: later(-2), finishedAt: later(-1) }),
  expired: withLink({ expiresAt: later(0) }),
  revoked: withLink({ revokedAt: later(-1) }),
  justPublished: withLink({ openedAt: later(-2) }, { status: 'published', publishedAt: later(-15 * 60_000 + 1) }),
  finishedAndPublished: withLink({ openedAt: later(-2), finishedAt: later(-1) }, { status: 'published', publishedAt: later(0) }),
  published: withLink({ openedAt: later(-2) }, { status: 'published', publishedAt: later(-15 * 60_000) }),
} satisfies Record<string, Report>;

const registering = (captureDigest: Buffer): ReportCommand => ({
  type: 'registerImages',
  captureDigest,
  replace: true,
  images: [{ slotId: 'tire.tread.front_left', assetId: newId(), analysisId: newId() }],
  revisionId: newId(),
});

const OTHER = Buffer.from('digest of another link');
const COMMANDS = {
  issue: { type: 'issueCapture', link: { ...LINK, digest: OTHER } },
  revoke: { type: 'revokeCapture' },
  open: { type: 'openCapture', digest: DIGEST },
  openOther: { type: 'openCapture', digest: OTHER },
  finish: { type: 'finishCapture', digest: DIGEST },
  finishOther: { type: 'finishCapture', digest: OTHER },
  register: registering(DIGEST),
  registerOther: registering(OTHER),
} satisfies Record<string, ReportCommand>;

const outcome = (state: ReportState, command: ReportCommand): string => {
  const decision = decide(state, command, NOW);
  if (isRefusal(decision)) return decision.refused;
  return decision.map((event) => (event.type === 'captureChanged' ? event.change : event.type)).join(' ') || '-';
};

type Name = keyof typeof COMMANDS;
const UNKNOWN = { openOther: '-', finishOther: 'not_found', registerOther: 'not_found', issue: 'issued' } as const;
const ENDED = { finish: 'capture_ended', register: 'capture_ended' } as const;

const TABLE: Record<keyof typeof LINKS, Record<Name, string>> = {
  none: { ...UNKNOWN, revoke: 'not_found', open: '-', finish: 'not_found', register: 'not_found' },
  issued: { ...UNKNOWN, revoke: 'revoked', open: 'opened', finish: 'finished', register: 'analysisRequested' },
  opened: { ...UNKNOWN, revoke: 'revoked', open: '-', finish: 'finished', register: 'analysisRequested' },
  finished: { ...UNKNOWN, revoke: 'revoked', open: '-', finish: '-', register: 'analysisRequested' },
  expired: { ...UNKNOWN, ...ENDED, revoke: 'revoked', open: '-' },
  revoked: { ...UNKNOWN, ...ENDED, revoke: '-', open: '-' },
  // The last photograph has published the report: its holder may take it again, and say that all are taken.
  justPublished: { ...UNKNOWN, revoke: 'revoked', open: '-', finish: 'finished', register: 'analysisRequested' },
  finishedAndPublished: { ...UNKNOWN, revoke: 'revoked', open: '-', finish: '-', register: 'capture_ended' },
  published: { ...UNKNOWN, issue: 'validation_error', revoke: 'revoked', open: '-', finish: 'finished', register: 'capture_ended' },
};

describe('a capture link', () => {
  const cells = Object.entries(TABLE).flatMap(([link, row]) => Object.entries(row).map(([command, result]) => [link, command, result]));

  it.each(cells)('%s x %s: %s', (link, command, result) => {
    const state: ReportState = { lifecycle: 'open', report: LINKS[link as keyof typeof LINKS] };
    expect(outcome(state, COMMANDS[command as Name])).toBe(result);
  });

  it.each([
    ['an empty slot', null, null, 'analysisRequested'],
    ['an empty slot, where another image was expected', null, 'seen', 'slot_already_succeeded'],
    ['the image that the page knows', 'seen', 'seen', 'analysisRequested'],
    ['an image that another phone sent meanwhile', 'other', 'seen', 'slot_already_succeeded'],
    ['an image, where none was expected', 'other', null, 'slot_already_succeeded'],
    ['the image itself, whatever it replaced', 'new', null, '-'],
  ])('registers over %s', (_, held, replaces, expected) => {
    const slotId = 'tire.tread.front_left';
    const register = (assetId: string, over: string | null): ReportCommand => ({
      type: 'registerImages',
      captureDigest: DIGEST,
      replace: false,
      images: [{ slotId, assetId, replaces: over, analysisId: newId() }],
      revisionId: newId(),
    });
    const empty: ReportState = { lifecycle: 'open', report: LINKS.opened };
    const state = held === null ? empty : apply(empty, register(held, null));
    expect(outcome(state, register('new', replaces))).toBe(expected);
  });

  it.each([
    ['discarded', 'report_discarded'],
    ['purging', 'report_purge_pending'],
  ])('of a %s report refuses every change with %s', (name, code) => {
    const state = reportStates()[name]!;
    const names: Name[] = ['issue', 'revoke', 'finish', 'register'];
    expect(names.map((command) => outcome(state, COMMANDS[command]))).toEqual(names.map(() => code));
    expect(outcome(state, COMMANDS.open)).toBe('-');
  });

  it.each([
    ['whose images come from addresses', identityOf('tire_4t_0s', { intake: 'partner_url' })],
    ['measured by hand', identityOf('tire_4t_0s', { intake: 'upload', creation: { source_channel: 'atrace_console', mode: 'manual' } })],
  ])('is not issued for a report %s', (_, identity) => {
    const state: ReportState = { lifecycle: 'open', report: { ...upload, identity } };
    expect(outcome(state, COMMANDS.issue)).toBe('validation_error');
  });

  it.each([
    ['issued', 'issued', null],
    ['opened', 'opened', null],
    ['finished', 'finished', null],
    ['expired', 'expired', 'expired'],
    ['revoked', 'revoked', 'revoked'],
    ['justPublished', 'opened', null],
    ['finishedAndPublished', 'finished', 'published'],
    ['published', 'opened', 'published'],
  ] as const)('%s: the partner reads %s, its holder %p', (link, state, reason) => {
    const report = LINKS[link];
    expect([captureState(report.capture!, NOW), endOfCapture(report, NOW)]).toEqual([state, reason]);
  });
});
