export { type BareRoute, startBareRoute } from './bare-process';
export {
  type Difference,
  differenceOf,
  isAtLeast,
  isAtMost,
  median,
  percentile,
  type Range,
  rangeOf,
  rangeText,
  ROUNDS_MIN,
  shareText,
  type Verdict,
} from './judge';
export { conditionsText, machineText, type MachineSpan, spanText, watchMachine } from './machine';
export {
  CONNECTIONS,
  measureInTurn,
  type Measured,
  printedShares,
  rateBeside,
  ROUND_SECONDS,
  ROUNDS,
  type Scenario,
  sharesKept,
  spreadOver,
  table,
} from './measure';
export { openPages } from './open-pages';
export { rowCopies } from './row-copies';
export { queryDatabase, readStack, runBench, type StackUnderLoad } from './stack-under-load';
