import { testClock } from '@tire/test-harness';
import { startGateway } from '../testing/gateway';

describe('the page that stops reminders', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;

  beforeAll(async () => {
    // Its time stands still, so that no press is allowed again meanwhile.
    gateway = await startGateway({ clock: testClock() });
  });
  afterAll(() => gateway?.stop());

  const asked = async (method: string, address: string) => {
    const headers = { 'x-forwarded-for': address, 'accept-language': 'en' };
    const response = await fetch(`${gateway.origin}/s/${'A'.repeat(22)}`, { method, headers });
    return { status: response.status, text: await response.text() };
  };

  it('says of a press above the limit that it did not count, and has its button again', async () => {
    const presses = await Promise.all(Array.from({ length: 400 }, () => asked('POST', '203.0.113.7')));
    const refused = presses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { text } of refused) {
      expect(text).toContain('What you pressed did not count.');
      expect(text).toContain('<button type="submit">');
      expect(text).not.toContain('Reminders are stopped');
    }
    expect(await asked('POST', '203.0.113.8')).toEqual({ status: 200, text: expect.stringContaining('Reminders are stopped') });
  });
});
