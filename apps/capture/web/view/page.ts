import type { State } from '../app/state';
import { WORDS } from '../i18n/words';
import { h } from './element';

type Child = Parameters<typeof h>[2];

/** Names and texts of a step, the same everywhere: a heading, what the phone has to say, the step itself, and its buttons at the thumb. */
export interface Step {
  readonly name: string;
  readonly title: string;
  readonly head?: Child;
  readonly body: Child;
  /** At the lower edge, the most important one last, where the thumb is. */
  readonly actions?: Child;
}

export const action = (task: string, text: string, more: Readonly<Record<string, string | null>> = {}): HTMLElement =>
  h('button', { type: 'button', class: 'action', 'data-do': task, ...more }, text);

export const mainAction = (task: string, text: string, more: Readonly<Record<string, string | null>> = {}): HTMLElement =>
  action(task, text, { class: 'action main', ...more });

function notices(state: State): HTMLElement[] {
  const words = WORDS[state.language];
  const said = [
    state.isOnline ? null : words.offline,
    state.isMemoryOnly ? words.memoryOnly : null,
    state.sendsElsewhere && state.screen.name === 'walk' ? words.otherTab : null,
  ].filter((text) => text !== null);
  return said.map((text) => h('p', { class: 'notice' }, text));
}

export function page(state: State, { name, title, head, body, actions }: Step): HTMLElement {
  const words = WORDS[state.language];
  const bar = h('div', { class: 'actions' }, actions);
  return h(
    'main',
    { class: `frame ${state.isLeftHanded ? 'left-hand' : ''}`, 'data-key': name },
    h(
      'div',
      { class: `page ${name}` },
      h(
        'div',
        { class: 'top' },
        h('div', { class: 'head' }, head),
        h('button', { type: 'button', class: 'plain', 'data-do': 'language', lang: state.language === 'ko' ? 'en' : 'ko' }, words.other),
      ),
      h('h1', { tabindex: '-1' }, title),
      notices(state),
      body,
    ),
    bar.childElementCount > 0 ? bar : null,
  );
}
