import './styles.css';
import './camera.css';
import { App } from './app/app';
import { tellParent } from './app/embed';
import { tokenOf } from './app/links';
import type { State } from './app/state';
import { maySkip, type Stop } from './app/walk';
import { type Aim, Finder } from './camera/finder';
import { slotName, WORDS } from './i18n/words';
import { registerWorker } from './offline/register';
import { morph } from './view/element';
import { newsOf } from './view/news';
import { screenOf } from './view/screens';
import type { SlotId } from '@tire/kernel/slots';

const root = document.querySelector<HTMLElement>('#root')!;
const news = document.querySelector<HTMLElement>('#news')!;

let shown: readonly Stop[] = [];

/** Tells what changed: aloud for a screen reader, and to a page that shows this one in a frame. */
function tell(state: State): void {
  const stops = app.stops();
  const text = newsOf(state.language, shown, stops);
  if (text !== '') news.textContent = text;
  const was = new Map(shown.map(({ id, sight }) => [id, sight.is]));
  for (const { id, sight } of stops)
    if (was.has(id) && was.get(id) !== sight.is)
      tellParent({ type: 'capture.slot', report_id: state.session!.report_id, slot_id: id, status: sight.is });
  shown = stops;
}

/** What the camera is pointed at; null where a page is shown instead. */
function aimOf({ session, screen, camera, usesPicker, doubt, language, isAutomatic, isLeftHanded, phone, fileFault }: State): Aim | null {
  if (session?.state !== 'open' || screen.name !== 'slot' || camera !== 'on' || usesPicker || doubt || fileFault) return null;
  const stop = app.stop(screen.id);
  if (!stop) return null;
  const { slot } = stop.slot;
  const words = WORDS[language];
  return {
    ...{ id: stop.id, type: slot.image_type, words, isAutomatic, isLeftHanded },
    maySkip: stop.sight.is === 'empty' && maySkip(session, app.stops(), stop.id),
    ...{ title: slotName(words, slot), howTo: words.howTo[slot.image_type] },
    otherHashes: [...phone.photos.values()].filter(({ slotId }) => slotId !== stop.id).map(({ hash }) => hash),
  };
}

function showCamera(state: State): boolean {
  const aim = aimOf(state);
  root.hidden = aim !== null;
  if (aim) document.body.append(finder.element);
  else finder.element.remove();
  if (aim === null && state.screen.name === 'slot') finder.rest();
  else void finder.show(aim);
  return aim !== null;
}

function draw(state: State, before: State): void {
  const words = WORDS[state.language];
  document.documentElement.lang = state.language;
  document.title = words.title;
  tell(state);
  const wanted = document.createElement('div');
  wanted.id = root.id;
  wanted.append(screenOf(app));
  const step = root.firstElementChild?.getAttribute('data-key');
  morph(root, wanted);
  const isCamera = showCamera(state);
  const isNew = step !== root.firstElementChild?.getAttribute('data-key') || state.screen !== before.screen;
  if (!isNew) return;
  window.scrollTo(0, 0);
  (isCamera ? finder.element : root).querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

const token = tokenOf(window.location.pathname);
const app = new App(token ?? '', draw);

const finder = new Finder({
  onPhoto: (id, prepared) => app.take(id, prepared),
  onFault: ({ fault }) => app.lackCamera(fault),
  onFailedShot: (id) => app.failedShot(id),
});

const TASKS: Readonly<Record<string, (id: SlotId) => unknown>> = {
  language: () => app.switchLanguage(),
  hand: () => app.switchHand(),
  look: () => app.look(),
  start: () => app.goOn(),
  walk: () => app.go({ name: 'walk' }),
  summary: () => app.go({ name: 'summary' }),
  open: (id) => app.go({ name: 'slot', id }),
  camera: () => app.openCamera(),
  picker: () => app.usePicker(),
  automatic: () => app.switchShutter(),
  skip: (id) => app.skip(id, true),
  unskip: (id) => app.skip(id, false),
  keep: (id) => app.keepAsItIs(id),
  mine: (id) => app.settle(id, true),
  other: (id) => app.settle(id, false),
  sure: (id) => app.state.doubt && app.take(id, app.state.doubt.prepared, true),
  unsure: () => app.go(app.state.screen),
  finish: () => app.finish(),
};

document.body.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-do]') : null;
  if (button) TASKS[button.dataset['do']!]?.(button.dataset['slot'] as SlotId);
});

root.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset['file'] === undefined) return;
  const file = target.files?.[0];
  // The same file again is a change, too.
  target.value = '';
  if (file) void app.takeFile(target.dataset['slot'] as SlotId, file);
});

if (token === null) app.isUnknown();
else {
  app.start();
  registerWorker();
}
