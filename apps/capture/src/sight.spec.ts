import { sightHintOf, type Sight } from '../web/framing/sight';
import { hintOf } from '../web/hints/hints';
import { looksOf, videoFrame } from './testing/frames.fixture';
import { join } from 'node:path';

const sight = (part: Partial<Sight>): Sight => ({ none: 0, tread: 0, sidewall: 0, fill: 0.8, ...part });

describe('what the network sees', () => {
  it.each([
    ['no tire', 'tread', { none: 0.97, tread: 0.03 }, 'no_tire'],
    ['perhaps no tire', 'tread', { none: 0.7, tread: 0.3 }, null],
    ['a wheel where a tread is asked', 'tread', { sidewall: 0.97, tread: 0.03 }, 'is_sidewall'],
    ['a tread where a wheel is asked', 'sidewall', { sidewall: 0.03, tread: 0.97 }, 'is_tread'],
    ['half a tread, half a wheel', 'tread', { sidewall: 0.6, tread: 0.4 }, null],
    ['a tread', 'tread', { tread: 0.97 }, null],
    ['a small tread', 'tread', { tread: 0.97, fill: 0.2 }, 'too_far'],
    ['a small wheel', 'sidewall', { sidewall: 0.97, fill: 0.3 }, 'too_far'],
    ['what may be a small tread', 'tread', { tread: 0.7, none: 0.3, fill: 0.2 }, null],
    ['a small wheel where a tread is asked', 'tread', { sidewall: 0.97, fill: 0.2 }, 'is_sidewall'],
  ] as const)('%s', (_, asked, part, hint) => expect(sightHintOf(asked, sight(part))).toBe(hint));

  it('comes after light, and the wrong side of a tire before the photograph of it', async () => {
    const frame = await videoFrame(join(__dirname, '../../inference/assets/samples/front_left.jpg'));
    const plain = await looksOf(frame);
    const taken = { ...plain, otherHashes: [plain.hash] };
    expect(hintOf({ ...taken, sight: sight({ tread: 1 }) })).toBe('same_photo');
    expect(hintOf({ ...taken, asked: 'sidewall', sight: sight({ tread: 1 }) })).toBe('is_tread');
    expect(hintOf({ ...taken, sight: sight({ tread: 1, fill: 0.1 }) })).toBe('same_photo');
    expect(hintOf({ ...plain, sight: sight({ tread: 1, fill: 0.1 }) })).toBe('too_far');
    expect(hintOf({ ...plain, sight: null })).toBeNull();
    const dark = { ...plain.small, luma: plain.small.luma.map((grey) => grey / 8) };
    expect(hintOf({ ...plain, small: dark, sight: sight({ none: 1 }) })).toBe('too_dark');
  });
});
