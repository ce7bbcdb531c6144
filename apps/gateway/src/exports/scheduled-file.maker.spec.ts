import { EXPORT_BYTES_MAX } from '@tire/contracts/limits';
import { Readable } from 'node:stream';
import { TooManyRows } from './exported-rows';
import { wholeOf } from './scheduled-file.maker';

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('first');
  throw error;
}

describe('the content of a scheduled file', () => {
  it('is all of it', async () => {
    expect((await wholeOf(Readable.from([Buffer.from('a'), Buffer.from('b')], { objectMode: false }))).toString()).toBe('ab');
  });

  it.each([
    ['has too many rows', () => failing(new TooManyRows()), { fault: 'too_large' }],
    ['has too many bytes', () => [Buffer.alloc(EXPORT_BYTES_MAX), Buffer.alloc(1)], { fault: 'too_large' }],
    ['cannot be read', () => failing(new Error('away')), { message: 'away' }],
  ])('fails where it %s', async (_, content, failure) => {
    await expect(wholeOf(Readable.from(content(), { objectMode: false }))).rejects.toMatchObject(failure);
  });
});
