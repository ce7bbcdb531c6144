import { measuredImages, PartnerClient } from '@tire/local-stack';
import { tempDir } from '@tire/test-harness';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageFile } from './sample-images';
import { stackUnderTest } from '../stack-under-test';

describe('the images of a folder in the demo', () => {
  const stack = stackUnderTest();
  const client = new PartnerClient(stack, stack.keys.test);
  const linesOf = async (folder: string): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of measuredImages(client, folder)) lines.push(line);
    return lines;
  };

  it('are recognized as tread or sidewall regardless of their file names', async () => {
    const folder = await tempDir();
    await copyFile(imageFile({ position: 'front_left', image_type: 'tread' }), join(folder, 'a.jpeg'));
    await copyFile(imageFile({ position: 'front_left', image_type: 'sidewall' }), join(folder, 'b.jpg'));
    await sharp(imageFile({ position: 'rear_left', image_type: 'tread' }))
      .png()
      .toFile(join(folder, 'c.PNG'));
    await copyFile(imageFile({ position: 'rear_right', image_type: 'sidewall' }), join(folder, 'd.jpg'));
    // The fifth image is that of a second report. A black one is refused by both models, and what is no image at its registration.
    await sharp({ create: { width: 640, height: 480, channels: 3, background: '#111' } })
      .jpeg()
      .toFile(join(folder, 'e.jpg'));
    await writeFile(join(folder, 'f.jpg'), 'no image');
    await writeFile(join(folder, 'notes.txt'), 'taken in the yard');
    const lines = (await linesOf(folder)).map((line) => line.trim());
    expect(lines.pop()).toBe('4 of 6 photographs measured');
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^a\.jpeg +\d\.\d mm {3}grooves( +\d\.\d){4} /),
      expect.stringMatching(/^b\.jpg +225\/45R17$/),
      expect.stringMatching(/^c\.PNG +\d\.\d mm {3}grooves( +\d\.\d){3} /),
      expect.stringMatching(/^d\.jpg +225\/45R17$/),
      expect.stringMatching(/^e\.jpg +failed: tread_not_found; failed: sidewall_not_found$/),
      expect.stringMatching(/^f\.jpg +failed: POST .* answered 4\d\d: /),
    ]);
  });

  it('are required', async () => {
    await expect(linesOf(await tempDir())).rejects.toThrow(/holds no photograph/);
  });
});
