import { SANDBOX_SCENARIOS } from '@tire/contracts/sandbox';

/** A line for each scenario and mode, as the examples of the clients print them, sorted. */
export const endsOfScenarios = (): string[] =>
  ['address', 'upload'].flatMap((mode) => SANDBOX_SCENARIOS.map(({ id, end }) => `${mode} ${id} ${end.analysisStatus}`)).sort();
