import { tempDir } from '@tire/test-harness';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';

/** The console and the guide show these files. */
const sample = (name: string): string => readFileSync(join(__dirname, '../web/pages/developers/signatures', name), 'utf8');
const SIGNATURE_SAMPLES = { JavaScript: sample('signature.mjs'), Python: sample('signature.py'), Java: sample('Callbacks.java') };

const [SECRET, OTHER] = ['A', 'B'].map((letter) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`) as [string, string];
const BODY = '{"type":"callback.test","data":{"plate":"12가3456"}}';
const ID = '0193b1f0-0000-7000-8000-000000000000';

interface Case {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function signedAt(at: Date, ...secrets: string[]): Case {
  const signature = secrets.map((secret) => new Webhook(secret).sign(ID, at, BODY)).join(' ');
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { secret: SECRET, body: BODY, headers: { 'webhook-id': ID, 'webhook-timestamp': timestamp, 'webhook-signature': signature } };
}

const now = new Date();
const good = signedAt(now, SECRET);
const headers = (changed: Record<string, string>): Case => ({ ...good, headers: { ...good.headers, ...changed } });
const CASES: readonly (readonly [string, Case, boolean])[] = [
  ['a valid callback', good, true],
  ['a callback during a rotation, its first signature valid', signedAt(now, SECRET, OTHER), true],
  ['a callback during a rotation, its last signature valid', signedAt(now, OTHER, SECRET), true],
  ['a signature with another secret', signedAt(now, OTHER), false],
  ['another body', { ...good, body: `${BODY} ` }, false],
  ['another id', headers({ 'webhook-id': 'x' }), false],
  ['an old timestamp', signedAt(new Date(now.getTime() - 600_000), SECRET), false],
  ['a timestamp in the future', signedAt(new Date(now.getTime() + 600_000), SECRET), false],
  ['an empty timestamp', headers({ 'webhook-timestamp': '' }), false],
  ['a timestamp that is not a number', headers({ 'webhook-timestamp': 'NaN' }), false],
  ['a signature of another version', headers({ 'webhook-signature': good.headers['webhook-signature']!.replace('v1,', 'v1a,') }), false],
  ['a truncated signature', headers({ 'webhook-signature': good.headers['webhook-signature']!.slice(0, 20) }), false],
  ['an empty signature', headers({ 'webhook-signature': '' }), false],
  ['no headers', { ...good, headers: {} }, false],
];

const JAVA_MAIN = `
import java.util.*;
public final class Main {
    public static void main(String[] words) throws Exception {
        StringBuilder results = new StringBuilder();
        for (String line : new String(System.in.readAllBytes(), "UTF-8").split("\\n")) {
            String[] fields = line.split("\\t", -1);
            Map<String, String> headers = new HashMap<>();
            for (int at = 2; at + 1 < fields.length; at += 2) headers.put(fields[at], fields[at + 1]);
            results.append(Callbacks.isGenuine(fields[0], headers, fields[1].getBytes("UTF-8"))).append("\\n");
        }
        System.out.print(results);
    }
}`;

/** Runs the sample of each installed language. It reads one case per line and prints one result per line. */
const RUN: Readonly<Record<keyof typeof SIGNATURE_SAMPLES, (sample: string, folder: string, input: string) => string>> = {
  JavaScript: (sample, folder, input) => {
    const reader = `for (const line of (await import('node:fs')).readFileSync(0, 'utf8').split('\\n')) {
      const [secret, body, ...fields] = line.split('\\t');
      const headers = {};
      for (let at = 0; at + 1 < fields.length; at += 2) headers[fields[at]] = fields[at + 1];
      console.log(String(isGenuine(secret, headers, Buffer.from(body))));
    }`;
    writeFileSync(join(folder, 'sample.mjs'), `${sample}\n${reader}`);
    return execFileSync(process.execPath, [join(folder, 'sample.mjs')], { input, encoding: 'utf8' });
  },
  Python: (sample, folder, input) => {
    const reader = `import sys
for line in sys.stdin.buffer.read().decode().split("\\n"):
    secret, body, *fields = line.split("\\t")
    print(str(is_genuine(secret, dict(zip(fields[::2], fields[1::2])), body.encode())).lower())
`;
    writeFileSync(join(folder, 'sample.py'), `${sample}\n${reader}`);
    return execFileSync('python3', [join(folder, 'sample.py')], { input, encoding: 'utf8' });
  },
  Java: (sample, folder, input) => {
    writeFileSync(join(folder, 'Callbacks.java'), sample);
    writeFileSync(join(folder, 'Main.java'), JAVA_MAIN);
    mkdirSync(join(folder, 'built'));
    execFileSync('javac', ['-d', join(folder, 'built'), join(folder, 'Callbacks.java'), join(folder, 'Main.java')]);
    return execFileSync('java', ['-cp', join(folder, 'built'), 'Main'], { input, encoding: 'utf8' });
  },
};

const PROGRAMS = { JavaScript: process.execPath, Python: 'python3', Java: 'javac' } as const;

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the samples that check a signature', () => {
  const lines = CASES.map(([, { secret, body, headers: named }]) => [secret, body, ...Object.entries(named).flat()].join('\t'));

  for (const language of Object.keys(RUN) as (keyof typeof RUN)[])
    (isInstalled(PROGRAMS[language]) ? it : it.skip)(`in ${language} accept valid callbacks and nothing else`, async () => {
      const results = RUN[language](SIGNATURE_SAMPLES[language], await tempDir(), lines.join('\n'))
        .trim()
        .split('\n');
      expect(CASES.map(([name], index) => [name, results[index]])).toEqual(CASES.map(([name, , genuine]) => [name, String(genuine)]));
    });
});
