export { startBareRoute } from './bare-process';
export { CONNECTIONS, measureInTurn, type Measured, ROUND_SECONDS, ROUNDS, type Scenario, spreadOver, table } from './measure';
export { queryDatabase, readStack, runBench, type StackUnderLoad, storedColumns } from './stack-under-load';
