import { EVENTS, type ImageFetched } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Suite } from './testing/suite.fixture';

const FACTS = 100;
const AT_ONCE = 4;

const imageFetched = (projectId: string): ImageFetched => ({
  projectId,
  reportId: newId(),
  slotId: 'tire.tread.front_left',
  assetId: newId(),
  analysisId: newId(),
  errorCode: '',
});

describe('facts of many projects', () => {
  let suite: Suite;
  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  it('are handled in turns: a project with one fact does not wait for all the facts that came before it', async () => {
    const [much, one] = [newId(), newId()];
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const { database, outbox } = await suite.service({
      type: EVENTS.imageFetched,
      durable: 'ledger',
      concurrency: AT_ONCE,
      handle: async ({ projectId }) => {
        begun.push(projectId);
        await new Promise<void>((resolve) => ends.push(resolve));
      },
    });
    await database.asSystem(async (tx) => {
      for (let count = 0; count < FACTS; count += 1) await outbox.add(tx, EVENTS.imageFetched, imageFetched(much));
      await outbox.add(tx, EVENTS.imageFetched, imageFetched(one));
    });
    const manager = await suite.manager();
    const taken = async () => {
      const { num_ack_pending, num_pending } = await manager.consumers.info('FACTS_ASSETS', 'ledger');
      return num_ack_pending === FACTS + 1 && num_pending === 0;
    };
    await eventually(taken, { message: 'the service has not taken all facts' });
    ends.shift()!();
    await eventually(() => begun.length > AT_ONCE);
    expect(begun).toEqual([...Array.from({ length: AT_ONCE }, () => much), one]);
    while (begun.length < FACTS + 1 || ends.length > 0) {
      ends.splice(0).forEach((end) => end());
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
