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

const differs = (given: object, required: object): boolean =>
  Object.entries(required).some(([key, value]) => !isSame(Reflect.get(given, key), value));

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
  // Other settings of the operator (placement, limits, and replicas unless they are configured) stay.
  else if (differs(given, required)) await manager.streams.update(name, { ...given, ...required }).catch(unlessForbidden);
  if (replicas !== undefined) await keepOn(manager, name, replicas);
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
