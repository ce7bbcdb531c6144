import { drawn } from '../domain/tread/drawn-tread.fixture';
import type { TreadMaps } from '../domain/tread/tread-maps';
import { guessFrom } from './tread-glance';

it.each<[string, TreadMaps, string]>([
  ['a tread with grooves', drawn(), 'surely'],
  ['a tread with one groove', drawn({ grooves: [{ at: 0, depthMm: 4 }] }), 'likely'],
  ['what may be a close-up of a sidewall', drawn({}, { isTread: 0.997 }), 'likely'],
  ['what is rather no tread', drawn({}, { isTread: 0.99 }), 'unlikely'],
  ['a tread in the distance', drawn({ half: 15 }), 'unlikely'],
])('%s: %s', (_, maps, guess) => {
  expect(guessFrom(maps)).toBe(guess);
});
