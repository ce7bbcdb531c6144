import { spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DrawnWheels } from './draw-hard-wheels.fixture';
import { LEGIBLE } from './hard-wheel';

// Runs in a process of its own: in Jest's sandbox every access to Math is so slow that drawing takes ten times as long.
let drawn: DrawnWheels;
beforeAll(async () => {
  const child = spawnTypeScript(join(__dirname, 'draw-hard-wheels.fixture.ts'), [], {}, 'pipe');
  const [output, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  drawn = JSON.parse(output) as DrawnWheels;
}, 240_000);

it('draws the same wheel again for the same seed', () => {
  expect(drawn.sha256.again).toBe(drawn.sha256.first);
  expect(drawn.sha256.otherSeed).not.toBe(drawn.sha256.first);
});

it('draws another photograph of a wheel with the same text', () => {
  expect(drawn.sha256.otherPhotograph).not.toBe(drawn.sha256.first);
  expect(drawn.photographsAgree).toBe(true);
});

it('rates a readable wheel as legible, an unreadable one as illegible, and other letters than those drawn as illegible', () => {
  expect(drawn.legibility.readable).toBeGreaterThan(0.95);
  expect(drawn.legibility.unreadable).toBeLessThan(0.5);
  expect(drawn.legibility.otherText).toBeLessThan(LEGIBLE);
});

it('draws another image of each kind, with the same size unless two sizes contradict each other', () => {
  const { contradicting, ...others } = drawn.kinds;
  expect(contradicting!.size).toBeNull();
  expect(new Set(Object.values(others).map(({ size }) => size)).size).toBe(1);
  expect(new Set(Object.values(drawn.kinds).map(({ sha256 }) => sha256)).size).toBe(9);
});

it('expects the size beside digits that are no size', () => {
  const { text, other, size } = drawn.onlySize;
  expect(text).toMatch(/^\d+$/);
  expect(size).toBe(other);
});
