import { newId } from '@tire/kernel';
import { FlagPipe, idempotencyKey, IdPipe } from './parameters';

describe('parameters', () => {
  it('an id is a UUID, whatever its case; anything else names nothing', () => {
    const id = newId();
    expect(new IdPipe().transform(id.toUpperCase())).toBe(id);
    for (const text of ['', 'x', `${id}0`, `${id}\n`, '../..'])
      expect(() => new IdPipe().transform(text)).toThrow('There is no such resource.');
  });

  it('an idempotency key has 1 to 255 printable characters', () => {
    for (const key of ['a', ' ', '~'.repeat(255)]) expect(idempotencyKey(key)).toBe(key);
    for (const key of ['', 'x'.repeat(256), 'a\u0007', 'ключ']) expect(() => idempotencyKey(key)).toThrow('Idempotency-Key');
  });

  it('a flag is true, false or absent', () => {
    const pipe = new FlagPipe('replace');
    expect(['true', 'false', undefined].map((value) => pipe.transform(value))).toEqual([true, false, false]);
    for (const value of ['', '1', 'TRUE', ['true', 'true']]) expect(() => pipe.transform(value)).toThrow('replace: must be true or false.');
  });
});
