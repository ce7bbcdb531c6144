import { eventually } from './eventually';

/**
 * Waits until a reading matches, as a page changes after the event that a test has waited for: a dialog still closes, a list still loads.
 * The mismatch of the last reading is the cause of the error.
 */
export async function becomes<T>(read: () => Promise<T> | T, expected: unknown): Promise<void> {
  await eventually(async () => {
    expect(await read()).toEqual(expected);
    return true;
  });
}
