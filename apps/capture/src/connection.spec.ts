import { Connection } from '../web/uploads/connection';

class Named extends Error {
  constructor(override readonly name: string) {
    super(name);
  }
}

/** Connections that break as a test wants it. */
function phone() {
  const opened: { readonly number: number; error: Error | null; readonly close: () => void }[] = [];
  let refusal: Error | null = null;
  const connection = new Connection((onClose) => {
    if (refusal) return Promise.reject(refusal);
    const one = { number: opened.length + 1, error: null, close: onClose };
    opened.push(one);
    return Promise.resolve(one);
  });
  const use = () => connection.run((one) => (one.error ? Promise.reject(one.error) : Promise.resolve(one.number)));
  return { opened, use, refuse: (error: Error | null) => (refusal = error) };
}

describe('the connection to the database', () => {
  it('is opened once', async () => {
    const { use, opened } = phone();
    expect([await Promise.all([use(), use()]), await use(), opened.length]).toEqual([[1, 1], 1, 1]);
  });

  it.each(['InvalidStateError', 'UnknownError'])('is opened again after %s, and the work is done there', async (name) => {
    const { use, opened } = phone();
    await use();
    opened[0]!.error = new Named(name);
    expect(await Promise.all([use(), use()])).toEqual([2, 2]);
    expect(opened).toHaveLength(2);
  });

  it('is opened again after the browser has closed it, and a late word of the former one changes nothing', async () => {
    const { use, opened } = phone();
    await use();
    opened[0]!.close();
    expect(await use()).toBe(2);
    opened[0]!.close();
    expect(await use()).toBe(2);
  });

  it('another error, and one that stays, reach whoever asked', async () => {
    const { use, opened, refuse } = phone();
    await use();
    opened[0]!.error = new Named('QuotaExceededError');
    await expect(use()).rejects.toThrow('QuotaExceededError');
    expect(opened).toHaveLength(1);
    opened[0]!.error = new Named('UnknownError');
    refuse(new Named('UnknownError'));
    await expect(use()).rejects.toThrow('UnknownError');
    refuse(null);
    expect(await use()).toBe(2);
  });
});
