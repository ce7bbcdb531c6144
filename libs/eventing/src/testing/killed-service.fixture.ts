import { EVENTS } from '@tire/contracts/events';
import { startService } from './service.fixture';

/** A process for a test to kill. It relays an outbox. If a durable name is given, it also takes work and never finishes it. */
const [natsUrl, databaseUrl, durable] = process.argv.slice(2);

async function main(): Promise<void> {
  const worker = {
    type: EVENTS.fetchImage,
    durable: durable!,
    ackWaitMs: 1_000,
    maxDeliver: 1,
    // No pull request is left when the process is killed. nats-server 2.9 counts the deliveries of a message from 1 again if it meets the
    // request of a lost connection during a redelivery.
    concurrency: 1,
    handle: () => new Promise<void>(() => process.send!('handling')),
  };
  await startService({ natsUrl: natsUrl!, databaseUrl: databaseUrl! }, ...(durable ? [worker] : []));
  process.send!('started');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
