import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagesFolder } from '../images/sample-images';
import { tread } from '../reports/reports';
import { apiOf } from '../world';

/** The code blocks of one language in a README. */
export const examplesOf = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);

/** A folder with the sample images, as a new user has it. */
export function newFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tire-new-user-'));
  cpSync(imagesFolder(), folder, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A report of the test project whose only photograph fails: the port is refused without a request. */
export async function failedReport(): Promise<string> {
  const image = { ...tread('front_left'), source: { url: 'https://192.0.43.8:8443/a.jpg' } };
  return (await apiOf('test').create({ images: [image] })).done.report_id;
}

export interface Running {
  /** What it has printed, when the text is part of it. */
  printed(text: string): Promise<string>;
  /** What it has printed, when it has ended. */
  ended(): Promise<string>;
  /** The code with which it ends; null where the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a program. An end with another code than 0 fails with what it has printed. */
export function runIn(folder: string, command: readonly string[], environment: Record<string, string>, input = ''): Running {
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env: { PATH: process.env['PATH'], ...environment } });
  child.stdin.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return {
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve(output);
        child.stdout.on('data', look);
        void exit.then((code) => reject(new Error(`It ended with ${code}: ${output}`)), reject);
        look();
      }),
    ended: async () => {
      const code = await exit;
      if (code !== 0) throw new Error(`It ended with ${code}: ${output}`);
      return output;
    },
    stop: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}
