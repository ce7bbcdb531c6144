import { Turns } from './turns';

const NEVER_MS = 86_400_000;

describe('turns', () => {
  it('are repeated at once while there is more, and after a nudge, also one that comes during a turn', async () => {
    let taken = 0;
    let reached: () => void = () => undefined;
    const turns: Turns = new Turns(async () => {
      taken += 1;
      if (taken === 3) turns.nudge();
      if (taken >= 4) reached();
      return taken < 3 ? 0 : NEVER_MS;
    });
    const four = new Promise<void>((resolve) => (reached = resolve));
    turns.start();
    await four;
    const five = new Promise<void>((resolve) => (reached = resolve));
    turns.nudge();
    await five;
    await turns.stop();
    turns.nudge();
    expect([taken, turns.isStopped]).toEqual([5, true]);
  });
});
