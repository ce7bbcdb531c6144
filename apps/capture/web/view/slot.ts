import type { CaptureSession } from '@tire/contracts/capture';
import type { ImageType, SlotId } from '@tire/kernel/slots';
import type { App } from '../app/app';
import { maySkip } from '../app/walk';
import { reasonOf, slotName, WORDS } from '../i18n/words';
import { h, svg } from './element';
import { action, mainAction, page } from './page';

/** What to frame, as a drawing. */
const sketch = (type: ImageType): SVGElement =>
  svg(
    'svg',
    { viewBox: '0 0 120 90', class: 'sketch', 'aria-hidden': 'true' },
    svg('rect', { x: 1, y: 1, width: 118, height: 88, rx: 6, class: 'edge' }),
    type === 'tread'
      ? [
          svg('path', { d: 'M24 -4v98h72V-4Z', class: 'rubber' }),
          svg('path', { d: 'M42 0v90M60 0v90M78 0v90', class: 'groove' }),
          svg('path', { d: 'M24 14l18 8M24 44l18 8M24 74l18 8M96 14l-18 8M96 44l-18 8M96 74l-18 8', class: 'groove thin' }),
        ]
      : [
          svg('circle', { cx: 60, cy: 45, r: 40, class: 'rubber' }),
          svg('circle', { cx: 60, cy: 45, r: 24, class: 'rim' }),
          svg('path', { d: 'M60 21v48M39 33l42 24M39 57l42-24', class: 'spokes' }),
          svg('circle', { cx: 60, cy: 45, r: 32, class: 'letters' }),
        ],
  );

/** A file field that looks like a button. `capture` opens the camera of the phone; without it the gallery opens. */
const fileButton = (text: string, id: SlotId, kind: 'camera' | 'gallery'): HTMLElement =>
  h(
    'label',
    { class: `action file ${kind === 'camera' ? 'main' : ''}`, 'data-key': kind },
    h('input', {
      ...{ type: 'file', class: 'unseen', accept: 'image/*', 'data-slot': id, 'data-file': kind },
      capture: kind === 'camera' ? 'environment' : null,
    }),
    text,
  );

export function slotScreen(app: App, session: CaptureSession, id: SlotId): HTMLElement {
  const { state } = app;
  const words = WORDS[state.language];
  const stop = app.stop(id)!;
  const { slot } = stop.slot;
  const { camera } = state;
  const hasCamera = camera === 'unasked' || camera === 'on';
  const hasFailed = state.fileFault === 'shot';
  const reason = reasonOf(state.language, stop.sight);
  const { doubt } = state;
  const skipped = stop.sight.is === 'skipped';
  const skipping = skipped || (stop.sight.is === 'empty' && maySkip(session, app.stops(), id));
  return page(state, {
    name: 'slot',
    title: slotName(words, slot),
    body: [
      h('p', { class: 'lead' }, words.howTo[slot.image_type]),
      reason === null ? null : h('p', { class: 'notice', 'data-key': 'reason' }, reason),
      hasCamera ? null : h('p', { class: 'quiet', 'data-key': 'camera' }, camera === 'refused' ? words.cameraRefused : words.noCamera),
      state.fileFault === null ? null : h('p', { class: 'notice', role: 'alert', 'data-key': 'fault' }, words.fileFaults[state.fileFault]),
      state.isPreparing ? h('p', { class: 'lead', role: 'status', 'data-key': 'preparing' }, words.preparing) : null,
      doubt
        ? h(
            'div',
            { class: 'doubt', role: 'alert', 'data-key': 'doubt' },
            h('img', { src: doubt.prepared.thumbnail, alt: '' }),
            h('p', {}, words.samePhoto(slotName(words, app.stop(doubt.sameAs)!.slot.slot))),
          )
        : sketch(slot.image_type),
    ],
    actions: doubt
      ? [action('sure', words.useAnyway, { 'data-slot': id }), mainAction('unsure', words.chooseOther)]
      : [
          action('walk', words.back),
          skipping ? action(skipped ? 'unskip' : 'skip', skipped ? words.unskip : words.skip, { 'data-slot': id }) : null,
          fileButton(words.fromGallery, id, 'gallery'),
          hasCamera && hasFailed ? action('camera', words.openCamera) : null,
          hasCamera && !hasFailed ? mainAction('camera', words.openCamera) : fileButton(words.takePhoto, id, 'camera'),
        ],
  });
}
