import { EVENTS } from '@tire/contracts/events';
import { eventually } from '@tire/test-harness';
import { fetchImage } from './testing/service.fixture';
import { Suite } from './testing/suite.fixture';

/** An event that the test triggers. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('consumers', () => {
  let suite: Suite;

  beforeEach(async () => void (suite = await Suite.start()));
  const gates = { first: gate(), second: gate() };

  afterEach(() => {
    // A service does not end before its handlers, and a test that fails opens none.
    for (const { open } of Object.values(gates)) open();
    return suite.stop();
  });

  const workLeft = async () => (await (await suite.manager()).streams.info('WORK_FETCH')).state.messages;

  it('request another message when one leaves its place, which it does once', async () => {
    const { first, second } = gates;
    const begun: string[] = [];
    let leaving = (): void => undefined;
    const { publisher } = await suite.service({
      type: EVENTS.fetchImage,
      durable: 'assets',
      concurrency: 1,
      handle: async (_, { id, leavePlace }) => {
        begun.push(id);
        if (id === 'first') leaving = leavePlace;
        await (id === 'first' ? first : second).opened;
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'first' }).then(() => true));
    for (const id of ['second', 'third']) await publisher.publish(EVENTS.fetchImage, fetchImage(), { id });
    await eventually(() => begun.length === 1);
    leaving();
    leaving();
    await eventually(() => begun.length === 2, { message: 'The place is not given to the second message' });
    first.open();
    await eventually(async () => (await workLeft()) === 2);
    expect(begun).toEqual(['first', 'second']);
    second.open();
    await eventually(async () => (await workLeft()) === 0);
    expect(begun).toEqual(['first', 'second', 'third']);
  });
});
