import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from './errors.ts';
import { verifyWebhook } from './webhooks.ts';

const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] as const;
const payload = JSON.stringify({ type: 'report.completed', timestamp: '2026-11-25T00:00:00.000Z', data: { plate: '가' } });

function signed(secrets: readonly string[] = [SECRETS[0]], ageSeconds = 0, body = payload) {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('msg_1', at, body)).join(' '),
  };
}

describe('verifyWebhook', () => {
  const [secret, other] = SECRETS;

  it.each([
    ['text', payload],
    ['bytes', new TextEncoder().encode(payload)],
    ['a buffer', new TextEncoder().encode(payload).buffer],
  ])('takes the body as %s, signed by the published library', async (_, body) => {
    expect(await verifyWebhook({ payload: body, headers: signed(), secret })).toEqual(JSON.parse(payload));
  });

  it('takes headers in any form and case', async () => {
    const upper = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [new Headers(signed()), upper]) await expect(verifyWebhook({ payload, headers, secret })).resolves.toBeTruthy();
  });

  it('takes a callback while a secret is being replaced: two signatures, or two secrets', async () => {
    await expect(verifyWebhook({ payload, headers: signed([other, secret]), secret })).resolves.toBeTruthy();
    await expect(verifyWebhook({ payload, headers: signed([other]), secret: [secret, other] })).resolves.toBeTruthy();
  });

  it('judges ten signatures of its version, because each hashes the body', async () => {
    const others = Array.from({ length: 9 }, () => other);
    const tenth = { ...signed(), 'webhook-signature': `v1a,x ${signed([...others, secret])['webhook-signature']}` };
    await expect(verifyWebhook({ payload, headers: tenth, secret })).resolves.toBeTruthy();
    const eleventh = signed([...others, other, secret]);
    await expect(verifyWebhook({ payload, headers: eleventh, secret })).rejects.toThrow(WebhookVerificationError);
  });

  const refused: [string, Partial<Parameters<typeof verifyWebhook>[0]>][] = [
    ['another secret', { secret: other }],
    ['no secret', { secret: [] }],
    ['another body', { payload: `${payload} ` }],
    ['another id', { headers: { ...signed(), 'webhook-id': 'msg_2' } }],
    [
      'another version of signatures',
      { headers: { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') } },
    ],
    ['no base64', { headers: { ...signed(), 'webhook-signature': 'v1,%%%' } }],
    ['no signature', { headers: { ...signed(), 'webhook-signature': '' } }],
    ['no headers', { headers: {} }],
    ['a signature that is not ASCII', { headers: { ...signed(), 'webhook-signature': 'v1,é' } }],
    ['a time of 5,000 digits', { headers: { ...signed(), 'webhook-timestamp': '1'.repeat(5_000) } }],
    ['a time that is none', { headers: { ...signed(), 'webhook-timestamp': 'now' } }],
    ['an old one', { headers: signed([secret], 301) }],
    ['one of the future', { headers: signed([secret], -310) }],
    ['a body that is not JSON', { payload: 'x', headers: signed([secret], 0, 'x') }],
  ];
  it.each(refused)('refuses %s', async (_, changed) => {
    await expect(verifyWebhook({ payload, headers: signed(), secret, ...changed })).rejects.toThrow(WebhookVerificationError);
  });

  it('has a tolerance that can be changed', async () => {
    await expect(verifyWebhook({ payload, headers: signed([secret], 500), secret, toleranceSeconds: 600 })).resolves.toBeTruthy();
    await expect(verifyWebhook({ payload, headers: signed([secret], 100), secret, toleranceSeconds: 60 })).rejects.toThrow('tolerance');
  });

  it('asks for the raw body, and for a secret that is one, without showing it', async () => {
    const parsed = JSON.parse(payload) as string;
    await expect(verifyWebhook({ payload: parsed, headers: signed(), secret })).rejects.toThrow('raw body');
    const error = await verifyWebhook({ payload, headers: signed(), secret: 'whsec_not*base64' }).catch(
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ message: expect.not.stringContaining('not*base64') });
  });
});
