import { eventually } from '@tire/test-harness';
import { Attempts } from '../attempts';
import { Broker } from '../broker';

/** Begins an attempt and never ends. */
async function main(natsUrl: string, key: string): Promise<void> {
  const broker = new Broker({ serviceName: 'attempt', natsUrl });
  broker.start();
  await eventually(async () => broker.connection !== undefined);
  await new Attempts(broker).begin(key);
  process.send?.('begun');
}

void main(process.argv[2]!, process.argv[3]!);
