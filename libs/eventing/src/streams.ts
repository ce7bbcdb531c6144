import { STREAMS, type StreamName } from '@tire/contracts/events';
import { DiscardPolicy, nanos, NatsError, RetentionPolicy, StorageType, type JetStreamManager, type StreamConfig } from 'nats';

const DAY_MS = 24 * 3_600_000;
const FACTS_MAX_AGE_MS = 7 * DAY_MS;
const DUPLICATE_WINDOW_MS = 120_000;
const STREAM_EXISTS_OTHERWISE = 10_058;

function configOf(name: StreamName): Partial<StreamConfig> & Pick<StreamConfig, 'name'> {
  const { kind, subjects } = STREAMS[name];
  return {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    retention: kind === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    ...(kind === 'facts' ? { max_age: nanos(FACTS_MAX_AGE_MS) } : {}),
  };
}

/** Publishers and consumers both create the stream, so neither has to start first, and a deleted stream is created again. */
export async function ensureStream(manager: JetStreamManager, name: StreamName): Promise<void> {
  const required = configOf(name);
  try {
    await manager.streams.add(required);
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== STREAM_EXISTS_OTHERWISE) throw error;
    // Settings of the operator (replicas, placement, limits) stay.
    const { config } = await manager.streams.info(name);
    await manager.streams.update(name, { ...config, ...required });
  }
}
