import { STREAMS, type StreamName } from '@tire/contracts/events';
import { logger } from '@tire/platform';
import { DiscardPolicy, nanos, NatsError, RetentionPolicy, StorageType, type JetStreamManager, type StreamConfig } from 'nats';

const log = logger('eventing');

const DAY_MS = 24 * 3_600_000;
const FACTS_MAX_AGE_MS = 7 * DAY_MS;
/** Longer than any message waits between two deliveries, and than a request of the ledger waits until it is repeated. */
const COUNTS_MAX_AGE_MS = 6 * 3_600_000;
const DUPLICATE_WINDOW_MS = 120_000;

function configOf(name: StreamName): Partial<StreamConfig> & Pick<StreamConfig, 'name'> {
  const { kind, subjects } = STREAMS[name];
  return {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    discard: kind === 'counts' ? DiscardPolicy.New : DiscardPolicy.Old,
    retention: kind === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    ...(kind === 'facts' ? { max_age: nanos(FACTS_MAX_AGE_MS) } : {}),
    // The settings of a NATS key-value bucket.
    ...(kind === 'counts'
      ? { max_age: nanos(COUNTS_MAX_AGE_MS), max_msgs_per_subject: 1, allow_rollup_hdrs: true, deny_delete: true }
      : {}),
  };
}

const STREAM_NOT_FOUND = 10_059;

const isSame = (given: unknown, required: unknown): boolean => JSON.stringify(given) === JSON.stringify(required);

/** The settings of a stream that are not those of the code. */
export const differences = (given: object, required: object): string[] =>
  Object.entries(required)
    .filter(([key, value]) => !isSame(Reflect.get(given, key), value))
    .map(([key]) => key);

/** Limits that an operator may have set. At one of them the server removes messages that are not read yet. It shows a limit that is not set as -1 or 0. */
const LOSING_LIMITS = ['max_msgs', 'max_bytes', 'max_msgs_per_subject', 'max_age'] as const;

/** The limits of a stream that the code does not set. */
export const losingLimits = (given: Pick<StreamConfig, (typeof LOSING_LIMITS)[number]>, required: Partial<StreamConfig>): string[] =>
  LOSING_LIMITS.filter((limit) => required[limit] === undefined && given[limit] > 0);

async function configOfServer(manager: JetStreamManager, name: StreamName): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Reads first, because a service that may not create a stream may read about it. Such a service uses a stream of another release as it is:
 * the owner of the streams changes it.
 */
export async function ensureStream(manager: JetStreamManager, name: StreamName, replicas?: number): Promise<void> {
  const required = configOf(name);
  const given = await configOfServer(manager, name);
  if (!given) await manager.streams.add(required);
  else await setRight(manager, given, required);
  if (replicas !== undefined) await keepOn(manager, name, replicas);
}

/** Other settings of the operator (placement, limits, and replicas unless they are configured) stay. */
async function setRight(manager: JetStreamManager, given: StreamConfig, required: ReturnType<typeof configOf>): Promise<void> {
  const { name } = required;
  const settings = differences(given, required);
  if (settings.length > 0) {
    const changed = await manager.streams.update(name, { ...given, ...required }).then(() => true, unlessForbidden);
    log.warn({ stream: name, settings, changed: changed === true }, 'The settings of a stream were others than those of this release');
  }
  const limits = losingLimits(given, required);
  if (limits.length > 0) log.warn({ stream: name, limits }, 'A stream has limits that this release does not set: it may lose messages');
}

/**
 * A stream works with the replicas that it has. So a cluster that cannot keep as many now (a single server, or one of three is down) is no
 * reason to stop: the next connection tries again.
 */
async function keepOn(manager: JetStreamManager, name: StreamName, replicas: number): Promise<void> {
  const { config } = await manager.streams.info(name);
  if (config.num_replicas === replicas) return;
  await manager.streams.update(name, { ...config, num_replicas: replicas }).catch((error: unknown) => {
    if (!(error instanceof NatsError) || !error.api_error) throw error;
    log.warn({ err: error, stream: name, replicas, present: config.num_replicas }, 'The replicas of a stream cannot be changed now');
  });
}

function unlessForbidden(error: unknown): void {
  if (!(error instanceof NatsError) || !error.isPermissionError()) throw error;
}
