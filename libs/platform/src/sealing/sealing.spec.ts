import { randomBytes } from 'node:crypto';
import { sealedColumn } from './sealed-column';
import { readSealingKeys, seal, sealedHead, sealingConfig, unseal, type SealingKeys } from './sealing';

const written = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const keysOf = (text: string): SealingKeys => readSealingKeys(text) ?? fail(text);
const fail = (text: string): never => {
  throw new Error(`no keys: ${text}`);
};

const SECRET = Buffer.from('12345678901234567890');

describe('a sealed secret', () => {
  const [old, fresh] = [written('2025'), written('2026')];

  it('opens with its key and purpose only, and differs each time', () => {
    const keys = keysOf(fresh);
    const sealed = seal(keys, SECRET, 'a');
    expect(unseal(keys, sealed, 'a')).toEqual(SECRET);
    expect(sealed.includes(SECRET)).toBe(false);
    expect(seal(keys, SECRET, 'a')).not.toEqual(sealed);
    expect(() => unseal(keys, sealed, 'b')).toThrow();
  });

  it('opens after the key is replaced, while the old key is configured', () => {
    const sealed = seal(keysOf(old), SECRET, 'a');
    const both = keysOf(`${fresh},${old}`);
    expect(unseal(both, sealed, 'a')).toEqual(SECRET);
    expect(() => unseal(keysOf(fresh), sealed, 'a')).toThrow('not configured');
    expect(seal(both, SECRET, 'a').subarray(0, sealedHead(both).length)).toEqual(sealedHead(both));
    expect(sealed.subarray(0, sealedHead(both).length)).not.toEqual(sealedHead(both));
  });

  const column = sealedColumn({ table: 'a', column: 'secret', key: ['id'] });
  const other = sealedColumn({ table: 'b', column: 'secret', key: ['id'] });
  const row = { projectId: 'project', id: 'row' };

  it.each([
    ['column', other, row],
    ['project', column, { ...row, projectId: 'other' }],
    ['row', column, { ...row, id: 'other' }],
  ])('does not open in another %s', (_, where, which) => {
    const keys = keysOf(fresh);
    const sealed = column.seal(keys, row, SECRET);
    expect(column.open(keys, row, sealed)).toEqual(SECRET);
    expect(() => where.open(keys, which, sealed)).toThrow();
  });

  it('of a table with projects is not sealed without one, nor the other way round', () => {
    const keys = keysOf(fresh);
    const ofUsers = sealedColumn({ table: 'users', column: 'secret', key: ['id'], ofProject: false });
    expect(ofUsers.open(keys, { projectId: null, id: 'row' }, ofUsers.seal(keys, { projectId: null, id: 'row' }, 'text')).toString()).toBe(
      'text',
    );
    expect(() => column.seal(keys, { projectId: null, id: 'row' }, 'text')).toThrow('has a project');
    expect(() => ofUsers.seal(keys, row, 'text')).toThrow('has no project');
  });

  it('needs keys in the configuration', () => {
    const { SEALING_KEYS } = sealingConfig;
    expect(SEALING_KEYS.parse(`${fresh},${old}`)).toEqual(keysOf(`${fresh},${old}`));
    for (const missing of [undefined, '', 'k1']) expect(SEALING_KEYS.safeParse(missing).success).toBe(false);
  });

  it('does not open if any byte is changed', () => {
    const keys = keysOf(fresh);
    const sealed = seal(keys, SECRET, 'a');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => unseal(keys, changed, 'a')).toThrow();
    }
    for (const short of [Buffer.alloc(0), sealed.subarray(0, 20), Buffer.alloc(20, 1)]) expect(() => unseal(keys, short, 'a')).toThrow();
  });

  it.each(['', 'k1', 'k1:abc', `K1:${randomBytes(32).toString('base64')}`, `k1:${randomBytes(16).toString('base64')}`, `${old},${old}`])(
    '%j is not a list of keys',
    (text) => {
      expect(readSealingKeys(text)).toBeNull();
    },
  );
});
