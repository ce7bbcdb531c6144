import { startInfrastructure } from './infrastructure';
import { runCommandIn } from './run-command';

/** Starts Postgres and finds NATS, then runs a command that uses them: with-infrastructure <command> <arguments…> */
runCommandIn(async () => ({ stop: await startInfrastructure() }));
