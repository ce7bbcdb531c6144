import { tempDir } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** As Chromium's fake camera plays a file of JPEG images one after another. */
const FRAMES_A_SECOND = 30;
const SIZE = { width: 960, height: 720 };

export interface Scene {
  readonly image: Buffer;
  readonly seconds: number;
}

/** Writes a film for the fake camera, which repeats it, and returns the arguments of the browser. */
export async function cameraArguments(scenes: readonly Scene[]): Promise<string[]> {
  const frames: Buffer[] = [];
  for (const { image, seconds } of scenes) {
    const frame = await sharp(image)
      .resize({ ...SIZE, fit: 'cover' })
      .jpeg({ quality: 85 })
      .toBuffer();
    for (let i = 0; i < seconds * FRAMES_A_SECOND; i++) frames.push(frame);
  }
  const file = join(await tempDir(), 'film.mjpeg');
  await writeFile(file, Buffer.concat(frames));
  return ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
}
