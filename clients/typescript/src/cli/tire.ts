#!/usr/bin/env node
import { runCommand } from './commands.ts';
import { UsageError } from './config.ts';
import { ApiError, TireInspectionError } from '../errors.ts';

/** One line for a fault that has a name; anything else is a defect and keeps its stack. */
function explained(error: unknown): string {
  if (error instanceof ApiError) {
    // Messages of the service mostly begin with the place themselves.
    const faults = error.errors.map(({ param, message }) => (param && !message.startsWith(param) ? `${param}: ${message}` : message));
    return `${error.code} ${faults.join('; ')} (request ${error.requestId ?? 'without an id'})`;
  }
  const isExpected = error instanceof TireInspectionError || error instanceof UsageError;
  return isExpected ? (error as Error).message : String((error as Error).stack ?? error);
}

/** Ctrl-C ends what lasts; a second one ends the process at once. */
function ending(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

try {
  // oxlint-disable-next-line no-restricted-properties -- the entry point of a program that has no other configuration
  process.exitCode = await runCommand(process.argv.slice(2), process.env, (text) => process.stdout.write(text), ending);
} catch (error) {
  process.stderr.write(`tire: ${explained(error)}\n`);
  process.exitCode = error instanceof UsageError ? 64 : 1;
}
