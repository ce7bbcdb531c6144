import type { State } from '../app/state';
import { needsAttention, type Stop } from '../app/walk';
import { reasonOf, slotName, WORDS } from '../i18n/words';
import { h } from './element';
import { action, mainAction } from './page';

export const isOpen = (state: State, stop: Stop): boolean => needsAttention(stop) && !state.kept.has(stop.id);

function choices(state: State, { id, sight }: Stop): HTMLElement[] {
  const words = WORDS[state.language];
  const more = { 'data-slot': id };
  if (sight.is === 'contested') return [action('other', words.useOther, more), mainAction('mine', words.useMine, more)];
  if (sight.is === 'unsent' && sight.why !== 'unusable' && sight.why !== 'lost') return [];
  return [...(sight.is === 'poor' ? [action('keep', words.keep, more)] : []), mainAction('open', words.again, more)];
}

/** Each photograph that needs the person, with what to do differently and one tap to do it. */
export function answers(state: State, stops: readonly Stop[]): HTMLElement | null {
  const words = WORDS[state.language];
  const open = stops.filter((stop) => isOpen(state, stop));
  if (open.length === 0) return null;
  return h(
    'section',
    { class: 'answers', 'data-key': 'answers' },
    h('h2', {}, words.attention),
    h(
      'ul',
      {},
      open.map((stop) => {
        const photo = state.phone.photos.get(stop.id);
        return h(
          'li',
          { class: `answer ${stop.sight.is}`, 'data-key': stop.id },
          photo ? h('img', { src: photo.thumbnail, alt: '' }) : null,
          h('div', {}, h('h3', {}, slotName(words, stop.slot.slot)), h('p', {}, reasonOf(state.language, stop.sight))),
          h('div', { class: 'choices' }, choices(state, stop)),
        );
      }),
    ),
  );
}
