import { lifetimeKm } from './lifetime';

it('gives the kilometres down to the legal limit', () => {
  expect(lifetimeKm(4)).toBe(20_000);
  expect(lifetimeKm(1.6)).toBe(0);
  expect(lifetimeKm(1)).toBe(0);
});
