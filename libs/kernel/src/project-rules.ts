/**
 * Rules of which the operator of an installation chooses between two while a change is new: for one project first, then for all. A rule
 * leaves this table when all projects use one value; rows with its name are ignored from then on.
 */
export const PROJECT_RULES = {
  /**
   * The versions of rules, texts and projection of new reports. A report keeps those that it was made with. Verdicts of 1.1 leave out what
   * 2.0 has for safety: bald zones, parts of a tread that were not seen, error ranges, and photographs in the slots of two positions.
   */
  content_rules: { values: ['2.0', '1.1'], usual: '2.0' },
  /** Whether the console asks members about sizes that no engine could read surely. */
  size_guesses: { values: ['on', 'off'], usual: 'on' },
} as const;

export type ProjectRule = keyof typeof PROJECT_RULES;
export type ProjectRules = { readonly [Rule in ProjectRule]: (typeof PROJECT_RULES)[Rule]['values'][number] };

export interface ChosenRule {
  readonly rule: string;
  readonly value: string;
}

export const isProjectRule = (name: string): name is ProjectRule => Object.hasOwn(PROJECT_RULES, name);

export const isValueOf = (rule: ProjectRule, value: string): boolean => (PROJECT_RULES[rule].values as readonly string[]).includes(value);

/** Values that turn off rules of safety. They are for single projects: a mistake must not reach the cars of all. */
export const isForAll = (rule: ProjectRule, value: string): boolean => rule !== 'content_rules' || value !== '1.1';

function valueOf<Rule extends ProjectRule>(rule: Rule, chosen: readonly ChosenRule[]): ProjectRules[Rule] {
  const value = chosen.find((one) => one.rule === rule && isValueOf(rule, one.value))?.value ?? PROJECT_RULES[rule].usual;
  return value as ProjectRules[Rule];
}

/** What applies to a project: its own choice, else that for all, else what is usual. A value that this release does not have counts as no choice. */
export function projectRules(ofProject: readonly ChosenRule[], ofAll: readonly ChosenRule[]): ProjectRules {
  const chosen = [...ofProject, ...ofAll];
  return { content_rules: valueOf('content_rules', chosen), size_guesses: valueOf('size_guesses', chosen) };
}
