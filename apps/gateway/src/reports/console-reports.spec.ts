import { ConsoleReportsService } from './console-reports.service';

/** The ledger waits this long for the assets service, which makes the derivative at its first use. */
const LEDGER_WAITS_MS = 15_000;

it('the console waits for the first derivative of an image longer than the ledger does', async () => {
  const signImage = jest
    .fn()
    .mockResolvedValue({ url: 'https://store.example/1', expiresAt: '', contentType: 'image/jpeg', orientation: 0 });
  const reports = new ConsoleReportsService({ signImage } as never, {} as never, {} as never, {} as never);
  expect(await reports.image('project', 'report', 'asset')).toMatchObject({ url: 'https://store.example/1', orientation: 1 });
  const [[, { deadlineMs }]] = signImage.mock.calls as [[object, { deadlineMs: number }]];
  expect(deadlineMs).toBeGreaterThan(LEDGER_WAITS_MS);
});
