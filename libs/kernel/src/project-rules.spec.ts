import { type ChosenRule, PROJECT_RULES, projectRules } from './project-rules';

const content = (value: string): ChosenRule => ({ rule: 'content_rules', value });

it.each<[string, ChosenRule[], ChosenRule[], string]>([
  ['nobody chose', [], [], '2.0'],
  ['the project chose', [content('1.1')], [], '1.1'],
  ['all have another one', [], [content('1.1')], '1.1'],
  ['the project tries what all do not have', [content('2.0')], [content('1.1')], '2.0'],
  ['a newer release had another value', [content('3.0')], [content('1.1')], '1.1'],
  ['a rule was removed', [{ rule: 'gone', value: 'on' }], [], '2.0'],
  ['another rule was chosen', [{ rule: 'size_guesses', value: 'off' }], [], '2.0'],
])('where %s', (_what, ofProject, ofAll, value) => {
  expect(projectRules(ofProject, ofAll).content_rules).toBe(value);
});

it.each(Object.entries(PROJECT_RULES))('what is usual for %s is one of its values', (_rule, { values, usual }) => {
  expect(values).toContain(usual);
});
