import type { LoggerService } from '@nestjs/common';
import { type Logger, logger } from './logger';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Writes the log lines of Nest in our format. Its start-up lines have level debug. */
export class NestLogger implements LoggerService {
  private readonly loggers = new Map<string, Logger>();

  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context last, and before it a stack if there is one. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? String(rest.at(-1)) : 'nest';
    const target = this.of(context);
    if (message instanceof Error) return target[level]({ err: message }, message.message);
    const stack = rest.slice(0, -1).find((part) => typeof part === 'string');
    target[level](stack ? { stack } : {}, typeof message === 'string' ? message : JSON.stringify(message));
  }

  private of(context: string): Logger {
    const known = this.loggers.get(context);
    if (known) return known;
    const made = logger(context);
    this.loggers.set(context, made);
    return made;
  }
}
