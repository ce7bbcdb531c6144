import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { spawnSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { ShareController } from '../publication/share.controller';
import { analysisEnded, contentReady, type RunningShare, secretsOf, startOwnShare } from '../testing/service.fixture';

interface Received {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Verify = (received: Received) => boolean;

const byNpm: Verify = ({ secret, headers, body }) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

const byProgram =
  ([program = '', ...args]: readonly string[]): Verify =>
  (received) => {
    const { status, stdout, stderr } = spawnSync(program, args, { input: JSON.stringify(received), encoding: 'utf8' });
    if (status !== 0 && !stderr.startsWith('refused')) throw new Error(`${program} failed: ${stderr}`);
    return stdout.trim() === 'verified';
  };

/** Programs with the libraries of other languages, by `npm run test:long -- webhook-libraries`. */
const programs = JSON.parse(process.env['WEBHOOK_VERIFIERS'] ?? '{}') as Record<string, string[]>;

describe.each<[language: string, verify: Verify]>([
  ['npm', byNpm],
  ...Object.entries(programs).map(([language, command]): [string, Verify] => [language, byProgram(command)]),
])('the published library of %s', (_, verify) => {
  let share: RunningShare;
  let received: Received;

  beforeAll(async () => {
    share = await startOwnShare();
    const projectId = newId();
    const shares = share.app.get(ShareController);
    await shares.rotateWebhookSecret({ projectId, overlapHours: 0 });
    // The second one signs too, so that a signature has two parts.
    await shares.rotateWebhookSecret({ projectId, overlapHours: 1 });
    const report = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/hook`, externalVehicleId: '차 "1" 🚗' });
    await share.analysisEnded(report);
    await share.contentGenerated(contentReady(report));
    const [call] = await eventually(() => share.receiver.callsTo('/hook').length > 0 && share.receiver.callsTo('/hook'));
    const [secret] = await secretsOf(share.owner, projectId);
    received = { secret: secret!, headers: call!.headers as Record<string, string>, body: call!.body };
  });
  afterAll(() => share?.close());

  it('verifies a callback', () => {
    expect(received.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(verify(received)).toBe(true);
  });

  it('refuses another body, another id, an old time and another secret', () => {
    const { headers, body } = received;
    const old = String(Number(headers['webhook-timestamp']) - 3_600);
    for (const changed of [
      { body: body.replace('complete', 'failed') },
      { headers: { ...headers, 'webhook-id': newId() } },
      { headers: { ...headers, 'webhook-timestamp': old } },
      { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
    ])
      expect([changed, verify({ ...received, ...changed })]).toEqual([changed, false]);
  });
});
