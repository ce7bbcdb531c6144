import { startInfrastructure } from './infrastructure';
import { runCommandIn } from './run-command';

/** Runs a command with Postgres and NATS at hand, started once for all that it runs: with-infrastructure <command> <arguments…> */
runCommandIn(async () => ({ stop: await startInfrastructure() }));
