import type { App } from '../app/app';
import { returnAddress } from '../app/links';
import { captureStatus } from '../app/status';
import { nextStop, type Stop } from '../app/walk';
import { slotName, WORDS } from '../i18n/words';
import { answers, isOpen } from './answers';
import { car } from './car';
import { h } from './element';
import { action, mainAction, page } from './page';
import { slotScreen } from './slot';

type Session = NonNullable<App['state']['session']>;

const partnerHead = ({ partner }: Session): HTMLElement[] => [
  ...(partner.logo_url === null
    ? []
    : [h('img', { class: 'logo', src: partner.logo_url, alt: partner.name ?? '', referrerpolicy: 'no-referrer' })]),
  ...(partner.name === null ? [] : [h('span', { class: 'partner' }, partner.name)]),
];

function call(app: App, { partner }: Session): HTMLElement | null {
  if (partner.phone_number === null) return null;
  const words = WORDS[app.state.language];
  return h('a', { class: 'action', href: `tel:${partner.phone_number.replace(/[^\d+]/g, '')}` }, words.call(partner.name));
}

/** Where the shop is, and when it is open. A session that an earlier version kept has neither. */
function place(app: App, { partner: { address, opening_hours: hours } }: Session): HTMLElement | null {
  if (!address && !hours) return null;
  const words = WORDS[app.state.language];
  const rows: [string, string][] = [
    ...(address ? [[words.address, address] as [string, string]] : []),
    ...(hours ? [[words.openingHours, hours] as [string, string]] : []),
  ];
  return h(
    'dl',
    { class: 'place' },
    rows.flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)]),
  );
}

/** Out of the page: the address of this one holds the token, so it is not sent along. */
const wayOut = (className: string, href: string, text: string): HTMLElement =>
  h('a', { class: className, href, rel: 'noreferrer noopener', referrerpolicy: 'no-referrer' }, text);

function waysOut(app: App, session: Session): (HTMLElement | null)[] {
  const words = WORDS[app.state.language];
  const back = returnAddress(session.return_url, session.report_id, captureStatus(session, app.stops()));
  return [
    session.share_url === null ? null : wayOut('action', session.share_url, words.openReport),
    back === null ? null : wayOut('action main', back, words.toPartner(session.partner.name)),
  ];
}

function welcome(app: App, session: Session): HTMLElement {
  const words = WORDS[app.state.language];
  const { name } = session.partner;
  const { tread, sidewall } = session.template.minimum_success_count;
  const hand = app.state.isLeftHanded ? words.rightHand : words.leftHand;
  return page(app.state, {
    name: 'welcome',
    title: name === null ? words.welcome : words.welcomeBy(name),
    head: partnerHead(session),
    body: [
      h('p', { class: 'lead' }, words.welcomeText(tread + sidewall)),
      h(
        'ol',
        { class: 'steps' },
        words.welcomeSteps.map((text) => h('li', {}, text)),
      ),
      h('p', { class: 'consent' }, words.consent(name)),
      h('button', { type: 'button', class: 'plain', 'data-do': 'hand' }, hand),
      call(app, session),
      place(app, session),
    ],
    actions: mainAction('start', words.start),
  });
}

function walk(app: App, session: Session): HTMLElement {
  const words = WORDS[app.state.language];
  const stops = app.stops();
  const { taken, wanted } = app.progress();
  const next = nextStop(stops);
  return page(app.state, {
    name: 'walk',
    title: words.walkTitle,
    head: partnerHead(session),
    body: [
      h('p', { class: 'count' }, words.walkText(taken, wanted)),
      h('progress', { max: Math.max(1, wanted), value: taken, 'aria-label': words.walkText(taken, wanted) }),
      answers(app.state, stops),
      car(words, stops),
    ],
    actions: [
      next ? action('summary', words.toSummary) : null,
      next
        ? mainAction('open', words.next(slotName(words, next.slot.slot)), { 'data-slot': next.id })
        : mainAction('summary', words.toSummary),
    ],
  });
}

function summary(app: App, session: Session): HTMLElement {
  const words = WORDS[app.state.language];
  const stops = app.stops();
  const { missing, measuring, unsent, isEnough } = app.progress();
  const lacks = missing.tread + missing.sidewall > measuring + unsent;
  const said = [
    lacks ? words.summaryMissing(missing.tread, missing.sidewall) : null,
    unsent > 0 ? words.summaryUnsent(unsent) : null,
    measuring > 0 ? words.summaryMeasuring(measuring) : null,
    isEnough && unsent === 0 && !stops.some((stop) => isOpen(app.state, stop)) ? words.summaryEnough : null,
  ];
  return page(app.state, {
    name: 'summary',
    title: words.summary,
    head: partnerHead(session),
    body: [
      said.map((text) => (text === null ? null : h('p', { class: 'lead' }, text))),
      app.state.hasFinishFailed ? h('p', { class: 'notice', role: 'alert' }, words.finishFailed) : null,
      answers(app.state, stops),
      car(words, stops),
    ],
    actions: [
      action('walk', words.back),
      // What is not sent yet would arrive after its report was called complete.
      unsent > 0 ? null : lacks ? action('finish', words.finishAnyway) : mainAction('finish', words.finish),
    ],
  });
}

function done(app: App, session: Session): HTMLElement {
  const words = WORDS[app.state.language];
  const stops = app.stops();
  return page(app.state, {
    name: 'done',
    title: words.done,
    head: partnerHead(session),
    body: [
      session.partner.name === null ? null : h('p', { class: 'lead' }, words.doneBy(session.partner.name)),
      h('p', {}, words.doneText),
      answers(app.state, stops),
      call(app, session),
      place(app, session),
    ],
    actions: [session.state === 'open' ? action('walk', words.doneMore) : null, waysOut(app, session)],
  });
}

function ended(app: App, session: Session): HTMLElement {
  const words = WORDS[app.state.language];
  const isHere = ({ sight }: Stop) => sight.is === 'sending' || sight.is === 'unsent';
  const unsent = app.stops().filter(isHere).length + app.state.dropped;
  const reason = session.ended_reason ?? 'closed';
  return page(app.state, {
    name: 'ended',
    title: words.endings[reason],
    head: partnerHead(session),
    body: [
      reason === 'published' ? null : h('p', { class: 'lead' }, words.endedAsk(session.partner.name)),
      unsent > 0 ? h('p', { class: 'notice' }, words.unsentOnPhone(unsent)) : null,
      call(app, session),
      place(app, session),
    ],
    actions: waysOut(app, session),
  });
}

function noSession(app: App): HTMLElement {
  const words = WORDS[app.state.language];
  if (app.state.reach === 'unreachable')
    return page(app.state, {
      name: 'unreachable',
      title: words.noStart,
      body: h('p', { class: 'lead' }, words.noStartText),
      actions: mainAction('look', words.retry),
    });
  return page(app.state, { name: 'loading', title: words.title, body: h('p', { class: 'quiet' }, words.loading) });
}

function unknown(app: App): HTMLElement {
  const words = WORDS[app.state.language];
  return page(app.state, { name: 'unknown', title: words.unknownTitle, body: h('p', { class: 'lead' }, words.unknownText) });
}

const SCREENS = { welcome, walk, summary, done } as const;

/** The whole page of a state. */
export function screenOf(app: App): HTMLElement {
  const { session, screen, reach } = app.state;
  if (reach === 'unknown') return unknown(app);
  if (session === null) return noSession(app);
  if (session.state === 'ended') return session.finished_at === null ? ended(app, session) : done(app, session);
  if (screen.name === 'slot') return slotScreen(app, session, screen.id);
  return SCREENS[screen.name](app, session);
}
