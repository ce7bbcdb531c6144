import { LOG_LEVELS } from './shapes';

/** Read before the configuration, because errors of the configuration are logged too. Tests log nothing by default. */
export function initialLogLevel(env: NodeJS.ProcessEnv = process.env): (typeof LOG_LEVELS)[number] {
  const configured = LOG_LEVELS.find((level) => level === env['LOG_LEVEL']);
  return configured ?? (env['NODE_ENV'] === 'test' ? 'silent' : 'info');
}
