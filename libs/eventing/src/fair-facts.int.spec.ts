import { EVENTS } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { outboxMessage } from './outbox';
import { imageFetched } from './testing/facts.fixture';
import { Suite } from './testing/suite.fixture';

const AT_ONCE = 4;

describe('facts of many projects', () => {
  let suite: Suite;
  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  it.each([
    ['', 100],
    [', nor for more of them than a process usually takes', 700],
  ])(
    'are handled in turns: no project holds all places, and one with one fact waits for none of the facts before it%s',
    async (_, count) => {
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
        await outbox.addAll(
          tx,
          Array.from({ length: count }, () => outboxMessage(EVENTS.imageFetched, imageFetched(much))),
        );
        await outbox.add(tx, EVENTS.imageFetched, imageFetched(one));
      });
      const manager = await suite.manager();
      const taken = async () => {
        const { num_ack_pending, num_pending } = await manager.consumers.info('FACTS_ASSETS', 'ledger');
        return num_ack_pending === count + 1 && num_pending === 0;
      };
      await eventually(taken, { message: 'the service has not taken all facts' });
      await eventually(() => begun.includes(one), { message: 'the fact of the other project has not begun' });
      expect(begun).toEqual([much, much, one]);
      while (begun.length < count + 1 || ends.length > 0) {
        ends.splice(0).forEach((end) => end());
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  );

  /** The facts of one project after those of another, or one fact of each project after another. */
  const inSequence = (projects: readonly string[], count: number) => projects.flatMap((projectId) => Array<string>(count).fill(projectId));
  const inRounds = (projects: readonly string[], count: number) => Array<readonly string[]>(count).fill(projects).flat();

  it.each([
    ['ten', 10, 60, inSequence],
    ['two hundred', 200, 5, inRounds],
  ])('of %s projects with many do not keep the fact of another one in the stream', async (_, of, count, order) => {
    const projects = Array.from({ length: of }, () => newId());
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const handled = new Set<string>();
    const { database, outbox } = await suite.service({
      type: EVENTS.imageFetched,
      durable: 'ledger',
      concurrency: AT_ONCE,
      handle: async ({ projectId }) => {
        await ended;
        handled.add(projectId);
      },
    });
    const other = newId();
    const all = [...order(projects, count), other];
    await database.asSystem((tx) =>
      outbox.addAll(
        tx,
        all.map((projectId) => outboxMessage(EVENTS.imageFetched, imageFetched(projectId))),
      ),
    );
    const manager = await suite.manager();
    const taken = async () => (await manager.consumers.info('FACTS_ASSETS', 'ledger')).num_ack_pending === all.length;
    await eventually(taken, { message: 'facts stay in the stream' });
    end();
    await eventually(() => handled.has(other));
  });
});
