import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY_ROOT, sampleImages } from '@tire/local-stack';
import { freePort, smsEnvironment } from '@tire/test-harness';
import { imagesFolder } from './images/sample-images';
import { OUTSIDE, PARTNERS, type Outside, type PartnerOrigins } from './stack-under-test';

declare global {
  var stackUnderTest: { launcher: ChildProcess; folder: string } | undefined;
}

/** The deadline ends the start of a stack that hangs. On a busy machine a start takes minutes. */
const START_DEADLINE_MS = 300_000;
/** `npm test` starts at most six workers. The stack starts with the partner of the first one. */
const FURTHER_PARTNERS = 5;

async function partnerOrigins(): Promise<PartnerOrigins> {
  return { images_origin: `https://127.0.0.1:${await freePort()}`, callback_origin: `http://127.0.0.1:${await freePort()}` };
}

/** Nothing listens there until a spec does. */
function environmentOf({ collector_port, sms_port }: Outside): Record<string, string> {
  const { OUTBOUND_ALLOWED_ORIGINS: _, ...sms } = smsEnvironment(smsOrigin(sms_port));
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector_port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ...sms,
  };
}

const smsOrigin = (port: number): string => `http://127.0.0.1:${port}`;

/** Starts the stack from the built programs, in a temporary folder and on free ports. With STACK_DIR the tests use a running one. */
export default async function startStack(): Promise<void> {
  if (process.env['STACK_DIR']) return drawImages();
  execFileSync(process.execPath, ['deploy/build.mjs'], { cwd: REPOSITORY_ROOT, stdio: 'inherit' });
  const partners = await Promise.all(Array.from({ length: FURTHER_PARTNERS }, partnerOrigins));
  process.env[PARTNERS] = JSON.stringify(partners);
  const outside: Outside = { collector_port: await freePort(), sms_port: await freePort() };
  process.env[OUTSIDE] = JSON.stringify(outside);
  // The walk starts a mail server there.
  const mailServer = {
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(await freePort()),
    SMTP_TLS: 'none',
    SMTP_FROM: 'Tires <mail@shop.example>',
  };
  if (process.env['SHOP_DAY']) Object.assign(process.env, mailServer);
  const folder = mkdtempSync(join(tmpdir(), 'tire-stack-'));
  const launcher = spawn(process.execPath, ['dist/deploy/local/src/start.js'], {
    cwd: REPOSITORY_ROOT,
    env: {
      ...process.env,
      STACK_DIR: folder,
      ...environmentOf(outside),
      OUTBOUND_ALLOWED_ORIGINS: [...partners.flatMap(Object.values), smsOrigin(outside.sms_port)].join(),
      // The gateway must not shed load: the machine is busy with other tests. Its own tests check the shedding.
      SHED_LOOP_LAG_MS: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  globalThis.stackUnderTest = { launcher, folder };
  process.env['STACK_DIR'] = folder;
  const deadlineMs = Date.now() + START_DEADLINE_MS;
  while (!(await readFile(join(folder, 'stack.json')).catch(() => undefined))) {
    if (launcher.exitCode !== null || Date.now() > deadlineMs) {
      // Jest calls no tear-down after a set-up that failed.
      launcher.kill('SIGINT');
      throw new Error('The local stack did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await drawImages();
}

const drawImages = async (): Promise<void> => {
  if (!existsSync(imagesFolder())) await sampleImages(imagesFolder());
};
